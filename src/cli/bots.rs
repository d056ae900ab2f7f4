//! `arena bots`, the catalogue of bots, and the bot that an argument names.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use alphabeta::othello::ExactSolver;
use clap::Args;
use comfy_table::presets::NOTHING;
use comfy_table::{ColumnConstraint, ContentArrangement, Table};
use games::{Board, Game};
use serde::Serialize;

use super::bot::{ALPHABETA, check_options, names_file, option_names};
use super::{CliError, print, width};
use message::{Message, message, spoken};
use referee::bot::Manifest;
use referee::dialect::Protocol;
use referee::record::harmless;
use run::RunError;
use tournament::{
    BotFile, Catalogue, CatalogueEntry, Contestant, KnownEngine, TournamentFile, given,
};

/// Tournament files with the ratings of built-in bots, by game.
pub const YARDSTICKS: [&str; 2] = [
    include_str!("../../tournaments/yardstick-othello.toml"),
    include_str!("../../tournaments/yardstick-gomoku.toml"),
];

/// List the built-in bots, and the bots in the folders of ./bots
#[derive(Debug, Args)]
pub struct Bots {
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

impl Bots {
    pub fn run(self) -> Result<(), CliError> {
        let known = known(catalogue()?);
        if self.json {
            return print(&format!("{}\n", serde_json::json!(known)));
        }
        let mut table = Table::new();
        table
            .load_style(NOTHING)
            // In a narrow terminal, only the last column wraps.
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_header(
                ["name", "games", "what it does, and its options"]
                    .map(|title| spoken().word("table", title)),
            );
        if let Some(width) = width().and_then(|width| u16::try_from(width).ok()) {
            table.set_width(width);
        }
        for bot in known {
            let about = with_options(&bot.about.into(), &bot.options);
            table.add_row([bot.name.to_owned(), bot.games.join(" "), about]);
        }
        for folder in folders(Path::new("bots")) {
            table.add_row(row_of(&folder));
        }
        for column in 0..2 {
            let column = table.column_mut(column).expect("there are three");
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
        print(&format!("{}\n", table.trim_fmt()))
    }
}

#[derive(Serialize)]
pub struct ListedBot {
    pub name: &'static str,
    games: Vec<String>,
    pub options: Vec<String>,
    protocol: &'static str,
    pub about: &'static str,
}

pub fn known(catalogue: Catalogue) -> Vec<ListedBot> {
    let built_in = catalogue.entries.into_iter().map(|entry| ListedBot {
        name: entry.name,
        games: entry.games.iter().map(ToString::to_string).collect(),
        options: entry.options,
        protocol: Protocol::Arena.word(),
        about: entry.about,
    });
    let engines = catalogue.engines.into_iter();
    let external = engines.map(
        |KnownEngine {
             name,
             about,
             manifest,
         }| ListedBot {
            name,
            games: manifest.games,
            options: manifest.options.into_iter().map(|(key, _)| key).collect(),
            protocol: manifest.protocol.word(),
            about,
        },
    );
    built_in.chain(external).collect()
}

fn with_options(about: &Message, options: &[String]) -> String {
    let about = spoken().render(about);
    if options.is_empty() {
        return about;
    }
    let options = message!("options: {}", options);
    format!("{about}\n{}", spoken().render(&options))
}

fn folders(parent: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|folder| folder.join("bot.toml").is_file())
        .collect();
    folders.sort();
    folders
}

fn row_of(folder: &Path) -> [String; 3] {
    let shown = harmless(&folder.display().to_string());
    match Manifest::read(folder) {
        Ok(manifest) => {
            let options = manifest.options.iter().map(|(key, _)| key.clone());
            let command = manifest.launch(folder, &[]).display();
            let about = message!("started as: {command}");
            let about = with_options(&about, &options.collect::<Vec<_>>());
            [shown, manifest.games.join(" "), about]
        }
        Err(problem) => [shown, String::new(), spoken().render(&problem.what)],
    }
}

/// The known external engines: name, description, manifest.
const ENGINES: [[&str; 3]; 1] = [[
    "grhino",
    "GRhino, an Othello engine that speaks GTP: apt-get install grhino",
    include_str!("../../bots/engines/grhino/bot.toml"),
]];

/// Returns the solved score of a late position for the side to move.
fn solved(board: &Board) -> i32 {
    const HASH_MIB: usize = 4;
    thread_local! {
        static SOLVER: RefCell<ExactSolver> = RefCell::new(ExactSolver::new(HASH_MIB));
    }
    let Board::Othello(board) = board else {
        unreachable!("only Othello has a solver");
    };
    SOLVER.with_borrow_mut(|solver| solver.solve(board.position()).0.score)
}

/// Returns the built-in bots, weakest first, and the known engines.
pub fn catalogue() -> Result<Catalogue, CliError> {
    let program = std::env::current_exe()
        .map_err(RunError::system("the arena cannot find its own program"))?;
    let references = reference::CATALOGUE.iter().map(|entry| CatalogueEntry {
        name: entry.name,
        games: entry.games(),
        about: entry.about,
        options: entry
            .options
            .iter()
            .map(|&option| option.to_owned())
            .collect(),
        files: Vec::new(),
    });
    let flagship = CatalogueEntry {
        name: ALPHABETA,
        games: vec!["othello", "gomoku"],
        about: "the bot to beat: the strongest alpha-beta search here",
        options: option_names::<alphabeta::Options>(|_| true),
        files: option_names::<alphabeta::Options>(names_file),
    };
    Ok(Catalogue {
        program,
        entries: references.chain([flagship]).collect(),
        engines: ENGINES
            .map(|[name, about, manifest]| KnownEngine {
                name,
                about,
                manifest: Manifest::parse(manifest).expect("the built-in manifests are valid"),
            })
            .into(),
        check: check_options,
        solvers: vec![("othello", solved)],
    })
}

/// Returns the bot that `word` names. Paths are relative to `folder`; `conditions` has the limits and the sandbox.
pub fn one_bot(
    word: &str,
    game: Game,
    folder: &Path,
    conditions: &TournamentFile,
) -> Result<Contestant, CliError> {
    let mut file = BotFile::from_word(word)?;
    // Replaces the name, since the word may be invalid as a name in tables.
    file.name = given(Some("alone".to_owned()));
    let catalogue = catalogue()?;
    let file = run::settled(&file, game, &catalogue, folder, conditions).unwrap_or(file);
    let mut bot = file.alone(game, &catalogue, folder, conditions)?;
    word.clone_into(&mut bot.name);
    Ok(bot)
}
