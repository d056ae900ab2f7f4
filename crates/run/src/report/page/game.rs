//! The pages of a game and of a pair, whose two games are side by side. A script requests their data.

use askama::Template;

use super::game_view::GameView;
use super::head::PageHead;

/// The page of a game in a run, of a game that a person plays, or of a game from a file.
#[derive(Default, Template)]
#[template(path = "web/game.html")]
pub struct GamePage {
    pub page: PageHead,
    pub heading: String,
    /// The addresses and names of the pages to which this one belongs.
    pub back: Vec<(String, String)>,
    /// The name and the address of the class, if the game is of a hand-in.
    pub class: Option<(String, String)>,
    /// The address of the game's data; empty if `events` sends the data.
    pub data: String,
    pub events: String,
    /// The address to which the number of a half-move is appended.
    pub base: String,
    pub ply: String,
    pub run: String,
    pub number: String,
    pub lines: String,
    /// The folder of the run as a word of a command; empty if the reader does not have the folder.
    pub folder: String,
    pub is_play: bool,
    /// Whether the game can be downloaded and analysed.
    pub has_files: bool,
    pub beside: [Option<String>; 2],
    pub pair: Option<String>,
    /// Whether a person may continue the game.
    pub goes_on: bool,
    pub still: Option<Still>,
}

/// A position and the moves of its game, drawn for a browser without scripts.
pub struct Still {
    ply: usize,
    rows: Vec<String>,
    moves: Vec<String>,
}

impl Still {
    pub fn of(view: &GameView, ply: Option<u32>) -> Still {
        let positions = view.positions();
        let last = positions.len() - 1;
        let ply = ply.map_or(last, |ply| last.min(ply as usize));
        let drawn = |&stone: &u8| match stone {
            b'X' => '●',
            b'O' => '○',
            _ => '·',
        };
        let rows = positions[ply].chunks(usize::from(view.size));
        let moves = view.frames.iter().skip(1);
        Still {
            ply,
            rows: rows.map(|row| row.iter().map(drawn).collect()).collect(),
            moves: moves.map(|frame| frame.played.clone()).collect(),
        }
    }
}

#[derive(Default, Template)]
#[template(path = "web/pair.html")]
pub struct PairPage {
    pub page: PageHead,
    pub run: String,
    pub class: Option<(String, String)>,
    pub run_address: String,
    pub heading: String,
    pub games: [u64; 2],
    pub opening: usize,
}
