//! The forms of bots without a manifest.

use referee::dialect::Protocol;
use referee::problem;
use referee::problem::Problem;

/// The interface that a bot without a manifest implements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    AiPlayer,
    AiGo,
    Lists,
    BestStrategy,
    ReversiAi,
    Byu,
    Function,
    Kaggle,
    Pisqpipe,
    Caltech,
    Nthu,
    Java,
}

#[derive(Debug)]
struct FormRow {
    form: Form,
    word: &'static str,
    /// The definition by which the file or folder is recognised, in Markdown.
    defines: &'static str,
    about: &'static str,
    /// The games that a bot of this form can play. If there are two, words in the bot's text may exclude one of them.
    games: &'static [&'static str],
    /// The time limits of the course or its platform in seconds, for a move and for a game; 0 for none.
    seconds: [u64; 2],
}

const BOTH: &[&str] = &["othello", "gomoku"];
const OTHELLO: &[&str] = &["othello"];
const GOMOKU: &[&str] = &["gomoku"];

const TABLE: [FormRow; 12] = [
    FormRow {
        form: Form::AiPlayer,
        word: "ai-player",
        defines: "`class AIPlayer` with `get_move(self, board)`, or the older `think(self, board)`",
        about: "a class with get_move(self, board)",
        games: OTHELLO,
        seconds: [60, 0],
    },
    FormRow {
        form: Form::AiGo,
        word: "ai-go",
        defines: "`class AI(size, color, time_out)` with `go(self, board)`, moves in `self.candidate_list`",
        about: "class AI with go(self, board) and candidate_list",
        games: BOTH,
        seconds: [5, 0],
    },
    FormRow {
        form: Form::Lists,
        word: "lists",
        defines: "global lists `list1`, `list2`, `list3`, and a function `ai()`",
        about: "lists list1, list2, list3 and ai()",
        games: GOMOKU,
        seconds: [0, 0],
    },
    FormRow {
        form: Form::BestStrategy,
        word: "best-strategy",
        defines: "`class Strategy` with `best_strategy(self, board, player, best_move, still_running)`",
        about: "a class with best_strategy(self, board, player, …)",
        games: OTHELLO,
        seconds: [5, 0],
    },
    FormRow {
        form: Form::ReversiAi,
        word: "reversi-ai",
        defines: "`reversi_ai(player, board, allow)`",
        about: "reversi_ai(player, board, allow)",
        games: OTHELLO,
        seconds: [0, 0],
    },
    FormRow {
        form: Form::Byu,
        word: "reversi-bot",
        defines: "`class ReversiBot(move_num)` with `make_move(self, state)`, for the server of BYU's course",
        about: "class ReversiBot with make_move(self, state)",
        games: OTHELLO,
        seconds: [0, 600],
    },
    FormRow {
        form: Form::Function,
        word: "function",
        defines: "`get_move(board, player)`, `getComputerMove(board, tile)`, `search_max(board)`, …",
        about: "a function of the board and the player",
        games: BOTH,
        seconds: [0, 0],
    },
    FormRow {
        form: Form::Kaggle,
        word: "kaggle",
        defines: "`agent(observation, configuration)` last, for `open_spiel_othello` of Kaggle's environments",
        about: "an agent for Kaggle's open_spiel_othello",
        games: OTHELLO,
        seconds: [0, 0],
    },
    FormRow {
        form: Form::Pisqpipe,
        word: "pisqpipe",
        defines: "functions for `pisqpipe.py`, such as `brain_turn()`",
        about: "a brain of pisqpipe.py",
        games: GOMOKU,
        seconds: [30, 0],
    },
    FormRow {
        form: Form::Caltech,
        word: "caltech",
        defines: "C++ with a `Makefile` and `player.cpp`: prints `Init done`, then reads `x y msLeft` in each turn",
        about: "a player for Caltech's CS2, which keeps its own board",
        games: OTHELLO,
        seconds: [0, 960],
    },
    FormRow {
        form: Form::Nthu,
        word: "nthu",
        defines: "C++ started for each move with the files `STATE ACTION`, as for NTHU's `main.cpp`",
        about: "a player for NTHU's I2P, started for each move",
        games: BOTH,
        seconds: [10, 0],
    },
    FormRow {
        form: Form::Java,
        word: "java-class",
        defines: "a Java class with `chooseMove(OthelloGameState)`, `decideMove(GameState)`, `getMove(OthelloState)` or \
                  `chooseMove(Color[][], Color)`",
        about: "a Java class that returns a move for a state",
        games: BOTH,
        seconds: [10, 0],
    },
];

impl Form {
    fn row(self) -> &'static FormRow {
        let row = TABLE.iter().find(|row| row.form == self);
        row.expect("each form has a row")
    }

    pub fn word(self) -> &'static str {
        self.row().word
    }

    fn all() -> impl Iterator<Item = Form> {
        TABLE.iter().map(|row| row.form)
    }

    pub fn manual() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
        TABLE.iter().map(|row| {
            let games = match row.games {
                ["othello"] => "Othello",
                ["gomoku"] => "Gomoku",
                _ => "both",
            };
            (row.word, row.defines, games)
        })
    }

    pub(super) fn is_program(self) -> bool {
        matches!(self, Form::Caltech | Form::Nthu | Form::Java)
    }

    pub(super) fn of_program(text: &str) -> Option<Form> {
        let has = |part: &str| text.contains(part);
        if is_java_player(text) {
            return Some(Form::Java);
        }
        if has("Init done") && has("Player") {
            return Some(Form::Caltech);
        }
        // A program of NTHU has two files as arguments. It reads a board from the first file.
        let files = has("argv[1]") && has("argv[2]") && has("ifstream") && has("ofstream");
        (files && has("read_board")).then_some(Form::Nthu)
    }

    pub fn from_word(word: &str) -> Option<Form> {
        Form::all().find(|form| form.word() == word)
    }

    pub fn check(word: &str) -> Result<(), Problem> {
        if Protocol::from_word(word).is_some() {
            return Ok(());
        }
        Form::find(word).map(drop)
    }

    pub fn find(word: &str) -> Result<Form, Problem> {
        Form::from_word(word).ok_or_else(|| {
            problem!("unknown frame {word:?}").did_you_mean(word, Form::all().map(Form::word))
        })
    }

    pub fn seconds(self) -> [u64; 2] {
        self.row().seconds
    }

    pub(super) fn about(self) -> &'static str {
        self.row().about
    }

    pub(super) fn games(self, text: &str) -> &'static [&'static str] {
        let games = self.row().games;
        if games.len() == 1 {
            return games;
        }
        // A board of the type `Color[][]` is that of the Gomoku course at Queen Mary.
        if self == Form::Java && text.contains("Color[][]") {
            return GOMOKU;
        }
        let text = text.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
        let othello = says(&["reversi", "othello", "flip", "reverse", "mobility"]);
        let gomoku = says(&[
            "gomoku",
            "gobang",
            "renju",
            "five",
            "五子",
            "chessboard_size // 2",
            "size = 15",
        ]);
        match (othello, gomoku) {
            (true, false) => OTHELLO,
            (false, true) => GOMOKU,
            _ => games,
        }
    }
}

/// Returns whether a Java file has a class, no abstract class, and a method that takes a state and returns a move.
fn is_java_player(text: &str) -> bool {
    let asks = |line: &str| {
        let (before, takes) = line.split_once("Move(")?;
        let name = before.split_whitespace().next_back()?;
        let takes = takes.trim_start().split(' ').next()?;
        let is_asked = ["choose", "decide", "get", "make", "find"].contains(&name);
        let is_state = ["State", "Board", "Color[][]"]
            .iter()
            .any(|end| takes.ends_with(end));
        Some(before.contains("public ") && is_asked && is_state && !line.trim_end().ends_with(';'))
    };
    let has_class = || text.contains("class ") && !text.contains("abstract class ");
    text.lines().any(|line| asks(line) == Some(true)) && has_class()
}
