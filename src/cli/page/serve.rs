//! `arena serve`.

use std::path::PathBuf;

use clap::Args;

use super::{Content, Place, offers, results};
use crate::cli::CliError;
use crate::cli::bots::catalogue;
use crate::web::EntryPage;

/// Show runs in a browser: standings, games, boards; play on from any position
///
/// Follows runs that another arena is playing. The printed address has a key: only a browser that was
/// opened with it can use the page.
#[derive(Debug, Args)]
pub struct Serve {
    /// The folder of runs, or one run
    #[arg(default_value = "results")]
    results: PathBuf,
    #[command(flatten)]
    place: Place,
}

impl Serve {
    pub fn run(self) -> Result<(), CliError> {
        let content = Content {
            results: results(&self.results)?,
            offers: offers(&catalogue()?),
            hub: None,
            going_on: None,
        };
        self.place.serve(content, EntryPage::Runs)
    }
}
