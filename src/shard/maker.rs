//! The arena that made a plan: no other may play it.

use referee::problem;
use std::path::Path;

use serde::{Deserialize, Serialize};

use referee::bot::sha256;
use run::RunError;

/// Which arena made a plan.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Maker {
    /// Its version.
    arena: String,
    /// Its SHA-256; absent: every build of the version may play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    arena_sha256: Option<String>,
}

impl Maker {
    /// This arena, whose file is `program`.
    pub fn here(program: &Path, any_build: bool) -> Result<Maker, RunError> {
        Ok(Maker {
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            arena_sha256: (!any_build).then(|| hash(program)).transpose()?,
        })
    }

    /// Refuses another arena than this one, whose file is `program`.
    pub fn check(&self, program: &Path) -> Result<(), RunError> {
        let version = env!("CARGO_PKG_VERSION");
        if self.arena != version {
            return Err(problem!(
                "the plan was made by arena {}, and this is arena {version}",
                self.arena
            )
            .help("install that version here, or make the plan again with this one")
            .into());
        }
        match &self.arena_sha256 {
            Some(planned) if *planned != hash(program)? => Err(problem!(
                "this arena has the version of the plan's, {version}, but is another build of it"
            )
            .help(
                "copy that arena here; or make the plan with --any-build, if both come from the same \
                 sources",
            )
            .into()),
            _ => Ok(()),
        }
    }
}

/// SHA-256 of a file.
pub(super) fn hash(path: &Path) -> Result<String, RunError> {
    sha256(path).map_err(RunError::system(format!("cannot read {}", path.display())))
}
