//! `arena play`.

use std::path::{Path, PathBuf};

use clap::Args;
use games::Game;

use super::{Content, Place, level_of, offers};
use crate::cli::CliError;
use crate::cli::bots::catalogue;
use crate::cli::boxes;
use crate::cli::one_bot::one_bot;
use crate::cli::options::BoxOption;
use crate::cli::play_person::InTerminal;
use crate::web::{EntryPage, Offer};
use tournament::{Boxes, Problem, TournamentFile};

/// Play against a bot, or against each other, in a browser or in the terminal
///
/// The page asks for game, board, rules, opponent, colour and time. A game is recorded like any other, in
/// results/play-GAME. The printed address has a key: only a browser that was opened with it can use the
/// page.
#[derive(Debug, Args)]
pub struct Play {
    /// The bot, as in `arena match`; in the page, a bot of your own to choose beside the built-in ones
    bot: Option<String>,
    /// The folder that the games are kept in
    #[arg(long, value_name = "FOLDER", default_value = "results")]
    results: PathBuf,
    #[command(flatten)]
    boxes: BoxOption,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    terminal: InTerminal,
}

impl Play {
    pub fn run(self) -> Result<(), CliError> {
        if self.terminal.terminal {
            let easy = level_of("easy");
            let bot = self.bot.as_deref().unwrap_or(&easy);
            let lang = self.place.language.texts()?;
            return self.terminal.run(bot, &self.boxes, &self.results, lang);
        }
        let catalogue = catalogue()?;
        let mut offers = offers(&catalogue);
        if let Some(word) = self.bot {
            // What is no bot at all is refused now; whether it plays a game is known once one is chosen.
            let mut conditions = TournamentFile::default();
            self.boxes.apply(&mut conditions);
            boxes::settle(&mut conditions, Boxes::Off)?;
            let mut found = games::families()
                .into_iter()
                .map(|family| -> Result<(), CliError> {
                    let game = Game::new(family.name(), None, None).map_err(Problem::new)?;
                    one_bot(&word, game, Path::new("."), &conditions).map(drop)
                });
            let first = found.next().unwrap_or(Ok(()));
            if first.is_err() && !found.any(|found| found.is_ok()) {
                return first;
            }
            drop(found);
            let known = catalogue.find(word.split(':').next().unwrap_or_default());
            let games: Vec<String> = match known {
                Some(entry) => entry.games.iter().map(|&game| game.to_owned()).collect(),
                None => games::names().into_iter().map(str::to_owned).collect(),
            };
            let offer = Offer {
                name: word.clone(),
                word,
                games,
                sandbox: conditions.sandbox,
            };
            offers.insert(0, offer);
        }
        let content = Content {
            results: self.results,
            offers,
            hub: None,
            going_on: None,
        };
        self.place.serve(content, EntryPage::Play)
    }
}
