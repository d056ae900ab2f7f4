//! The forms of bots without a manifest.

use referee::dialect::Protocol;
use referee::problem;
use referee::problem::Problem;

/// The interface that a bot without a manifest implements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `class AIPlayer` with `get_move(self, board)` or `think(self, board)`.
    AiPlayer,
    /// `class AI(size, color, time_out)` with `go(self, board)` and `candidate_list`.
    AiGo,
    /// Globals `list1`, `list2`, `list3` and `ai()`.
    Lists,
    /// `class Strategy` with `best_strategy(self, board, player, best_move, still_running)`.
    BestStrategy,
    /// `reversi_ai(player, board, allow)`.
    ReversiAi,
    /// A function such as `get_move(board, player)`.
    Function,
    /// A brain for pisqpipe.py.
    Pisqpipe,
}

impl Form {
    const ALL: [Form; 7] = [
        Form::AiPlayer,
        Form::AiGo,
        Form::Lists,
        Form::BestStrategy,
        Form::ReversiAi,
        Form::Function,
        Form::Pisqpipe,
    ];

    /// The name on command lines and for the frame.
    pub const fn word(self) -> &'static str {
        match self {
            Form::AiPlayer => "ai-player",
            Form::AiGo => "ai-go",
            Form::Lists => "lists",
            Form::BestStrategy => "best-strategy",
            Form::ReversiAi => "reversi-ai",
            Form::Function => "function",
            Form::Pisqpipe => "pisqpipe",
        }
    }

    pub fn from_word(word: &str) -> Option<Form> {
        Form::ALL.into_iter().find(|form| form.word() == word)
    }

    /// Checks that `word` is a form or a protocol.
    pub fn check(word: &str) -> Result<(), Problem> {
        if Protocol::from_word(word).is_some() {
            return Ok(());
        }
        Form::find(word).map(drop)
    }

    /// Returns the form with the name `word`, or a problem that lists the names.
    pub fn find(word: &str) -> Result<Form, Problem> {
        Form::from_word(word).ok_or_else(|| {
            problem!("unknown frame {word:?}")
                .did_you_mean(word, Form::ALL.into_iter().map(Form::word))
        })
    }

    /// A description of such a file for its author.
    pub(super) const fn about(self) -> &'static str {
        match self {
            Form::AiPlayer => "a class with get_move(self, board)",
            Form::AiGo => "class AI with go(self, board) and candidate_list",
            Form::Lists => "lists list1, list2, list3 and ai()",
            Form::BestStrategy => "a class with best_strategy(self, board, player, …)",
            Form::ReversiAi => "reversi_ai(player, board, allow)",
            Form::Function => "a function of the board and the player",
            Form::Pisqpipe => "a brain of pisqpipe.py",
        }
    }

    /// The games that a bot of this form can play. Some forms depend on words in the `text`.
    pub(super) fn games(self, text: &str) -> &'static [&'static str] {
        let lower = || text.to_lowercase();
        match self {
            Form::AiPlayer | Form::BestStrategy | Form::ReversiAi => &["othello"],
            Form::Lists | Form::Pisqpipe => &["gomoku"],
            Form::AiGo | Form::Function => {
                let text = lower();
                let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
                let othello = says(&["reversi", "othello", "flip", "reverse", "mobility"]);
                let gomoku = says(&[
                    "gomoku",
                    "gobang",
                    "renju",
                    "five",
                    "五子",
                    "chessboard_size // 2",
                ]);
                match (othello, gomoku) {
                    (true, false) => &["othello"],
                    (false, true) => &["gomoku"],
                    _ => &["othello", "gomoku"],
                }
            }
        }
    }
}
