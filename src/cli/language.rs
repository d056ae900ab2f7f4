//! The language of what is shown.

use clap::Args;
use referee::problem;

use message::{Lang, speak};
use tournament::Problem;

/// What was asked for, or what the system is set to.
#[derive(Clone, Debug, Default, Args)]
pub struct Language {
    /// The language: en or zh [default: the system's]
    #[arg(long, value_name = "LANG")]
    lang: Option<String>,
}

impl Language {
    /// From now on the arena speaks it.
    pub fn speak(&self) -> Result<&'static Lang, Problem> {
        let lang = self.texts()?;
        speak(lang);
        Ok(lang)
    }

    /// What was asked for.
    pub fn asked(&self) -> Result<Option<&'static Lang>, Problem> {
        let known = |code: &String| {
            let unknown = || problem!("there are no texts in {code:?}").help("choose en or zh");
            Lang::of(code).ok_or_else(unknown)
        };
        self.lang.as_ref().map(known).transpose()
    }

    /// The texts in it.
    pub fn texts(&self) -> Result<&'static Lang, Problem> {
        let set = |name: &str| std::env::var(name).ok().filter(|code| !code.is_empty());
        if let Some(lang) = self.asked()? {
            return Ok(lang);
        }
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
        let set = set.or_else(host::language);
        let known = set.and_then(|code| Lang::of(&code));
        Ok(known.unwrap_or_else(Lang::usual))
    }
}
