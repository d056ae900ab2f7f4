//! Golden transcripts: the arena's lines of whole games, and the expected answers. The lines come from the encoders of
//! the arena. `docs/protocol.md` describes the format.

use games::gomoku::{Choice, Rule};
use games::{Board, Game, Move, Rules, Side, parse_transcript};
use protocol::{GameResult, Hello, Over, Start, ToBot, TurnEncoder};
use std::time::Duration;

pub fn files() -> Vec<(&'static str, String)> {
    vec![
        ("golden/othello.txt", file(&othello())),
        ("golden/gomoku.txt", file(&gomoku())),
        ("golden/renju.txt", file(&renju())),
        ("golden/openings.txt", file(&openings())),
    ]
}

struct SampleGame {
    about: &'static str,
    game: Game,
    you: Side,
    /// The move time, the game time and the increment, in ms.
    clock: [u64; 3],
    transcript: &'static str,
    opening: usize,
    resigned: bool,
}

fn othello() -> Vec<SampleGame> {
    vec![
        SampleGame {
            about: "The shortest possible game: after nine moves, white has no disc left. You are white.",
            game: Game::OTHELLO,
            you: Side::White,
            clock: [50, 0, 0],
            transcript: "e6f4e3f6g5d6e7f5c5",
            opening: 0,
            resigned: false,
        },
        SampleGame {
            about: "The second game of the same process: a game clock, an opening of 50 moves, and \
                    an opponent that must pass three times. You are black.",
            game: Game::OTHELLO,
            you: Side::Black,
            clock: [0, 2000, 10],
            transcript: "c4c3d3e3f4c5d2e2d6e6b6a7f2d1b5g2c2b3b4a5e7e8f1c6c1b2h3g5g4h4c7b1f5c8a6\
                         h2a2a4h6h5f7f3b7b8d7g8a8f8a3e1g1h1g7h7d8g3a1f6h8g6",
            opening: 50,
            resigned: false,
        },
    ]
}

fn gomoku() -> Vec<SampleGame> {
    vec![
        SampleGame {
            about: "Freestyle on 15×15. You are white and lose to a five.",
            game: five_in_a_row(15, Rule::Freestyle),
            you: Side::White,
            clock: [50, 0, 0],
            transcript: "h8g7i8i9j8j9k8g8l8",
            opening: 1,
            resigned: false,
        },
        SampleGame {
            about: "Standard on 22×22, columns a to v, both clocks. You are black. c7 makes six in \
                    a row, which does not win under these rules. White resigns.",
            game: five_in_a_row(22, Rule::Standard),
            you: Side::Black,
            clock: [50, 2000, 0],
            transcript: "c3v22c4v21c5a22c6c2c8k11c7v20d5v19",
            opening: 10,
            resigned: true,
        },
        SampleGame {
            about: "Freestyle on 5×5. You are black and fill the last square: a draw.",
            game: five_in_a_row(5, Rule::Freestyle),
            you: Side::Black,
            clock: [50, 0, 0],
            transcript: "a1b1c1d1e1b2a2d2c2a3e2c3b3e3d3a4b4c4d4e4a5b5c5d5e5",
            opening: 24,
            resigned: false,
        },
    ]
}

/// Renju: black's forbidden moves are not in `legal`.
fn renju() -> Vec<SampleGame> {
    vec![SampleGame {
        about: "Renju on 15×15. You are black. In the first question, f2 would be an overline, h8 a \
                double three, and n12 a double four: they are not in legal. At the end, black plays \
                h8 nevertheless, and loses.",
        game: five_in_a_row(15, Rule::Renju),
        you: Side::Black,
        clock: [50, 0, 0],
        transcript: "f8a1g8c1h6e1h7g1c2i1d2k1g2m1h2o1e2a15k12c15l12e15m12g15n9i15n10k15n11o15\
                     a8o8b10o9h8",
        opening: 30,
        resigned: false,
    }]
}

fn openings() -> Vec<SampleGame> {
    let game = |rules, opening| {
        let game = five_in_a_row(15, rules).with_opening(Some(opening));
        game.expect("a rule for this board")
    };
    vec![
        SampleGame {
            about: "Swap. You are the second player and choose a colour: here, black.",
            game: game(Rule::Freestyle, "swap"),
            you: Side::White,
            clock: [50, 0, 0],
            transcript: "h8 i8 j10 swap i7 g9",
            opening: 0,
            resigned: true,
        },
        SampleGame {
            about: "Swap2. You are the first player: you place three stones. The second player asks for two more, and \
                    you choose a colour: here, white.",
            game: game(Rule::Standard, "swap2"),
            you: Side::Black,
            clock: [50, 0, 0],
            transcript: "h8 i8 j10 two-more i9 i7 swap g9 g8",
            opening: 0,
            resigned: true,
        },
        SampleGame {
            about: "Soosyrv-8. You are the second player: you keep white, place the fourth stone, set the number of \
                    fifth moves, and choose one of them.",
            game: game(Rule::Renju, "soosyrv-8"),
            you: Side::White,
            clock: [50, 0, 0],
            transcript: "h8 i9 j7 stay g10 offer-2 stay j9 k8 j9 h10",
            opening: 0,
            resigned: true,
        },
        SampleGame {
            about: "Taraguchi-10. You are the first player and keep black until the end: you place the first and the \
                    third stone, decide twice about the colours, and offer ten fifth moves.",
            game: game(Rule::Renju, "taraguchi-10"),
            you: Side::Black,
            clock: [50, 0, 0],
            transcript: "h8 stay i9 stay j7 stay g10 offer-10 j9 k8 k9 k10 j10 i10 h10 f8 f9 f10 j9 h11 k6",
            opening: 0,
            resigned: true,
        },
        SampleGame {
            about: "RIF. You are the first player and place three stones. The opponent swaps, so you have white: you \
                    place the fourth stone and choose one of two fifth moves.",
            game: game(Rule::Renju, "rif"),
            you: Side::Black,
            clock: [50, 0, 0],
            transcript: "h8 i9 j7 swap g10 j9 k8 j9 h10",
            opening: 0,
            resigned: true,
        },
    ]
}

const fn five_in_a_row(size: u8, rule: Rule) -> Game {
    Game::gomoku(size, rule)
}

const HEAD: &str = "\
# A golden transcript of protocol version 1: the lines of one process. docs/protocol.md describes the format.
# `> LINE`   the arena sends LINE
# `< ready`  the bot answers with a ready message
# `< move`   the bot answers with a move from the last `legal`; its `id` is the same or absent
# `< exit`   the bot exits with status 0
# Any number of info messages may precede an answer. The bot's moves have no effect: the lines are those of a
# recorded game, so each question is independent of the answers.
";

/// Writes the session of one process: all games one after the other, then `quit`.
fn file(samples: &[SampleGame]) -> String {
    let mut file = File {
        text: HEAD.to_owned(),
        encoder: TurnEncoder::new(),
        id: 0,
    };
    file.send(r#"{"type":"weather","note":"a message that version 1 does not define"}"#);
    for (number, sample) in (1..).zip(samples) {
        file.play(sample, number);
    }
    file.note("No further game.");
    file.say(&ToBot::Quit);
    file.expect("exit");
    file.text
}

struct File {
    text: String,
    encoder: TurnEncoder,
    /// The id of the last question. It keeps rising from game to game.
    id: u64,
}

impl File {
    fn note(&mut self, text: &str) {
        self.text += &format!("\n# {text}\n");
    }

    fn send(&mut self, line: &str) {
        self.text += &format!("> {}\n", line.trim_end());
    }

    fn say(&mut self, message: &ToBot) {
        self.send(&json(message));
    }

    fn expect(&mut self, what: &str) {
        self.text += &format!("< {what}\n");
    }

    fn play(&mut self, sample: &SampleGame, number: u64) {
        let SampleGame { game, mut you, .. } = *sample;
        let (moves, last) = parse_transcript(game, sample.transcript)
            .unwrap_or_else(|error| panic!("{}: {error}", sample.about));
        self.note(sample.about);
        let hello = ToBot::Hello(Hello::from(&start(sample, number)));
        self.send(&with_unknown_field(&json(&hello)));
        self.expect("ready");
        let mut board = game.start();
        let mut asked = 0;
        for (ply, &played) in moves.iter().enumerate() {
            if ply >= sample.opening && board.side_to_move() == you && !board.must_pass() {
                self.ask(&board, &games::counted(game, &moves[..ply]), sample, asked);
                asked += 1;
            }
            if played == Move::Choose(Choice::Swap) {
                you = !you;
            }
            board.play(played).expect("the transcript was played once");
        }
        self.say(&ToBot::Over(over(sample, &last)));
    }

    /// Sends a question. Every second question has an unknown field and follows an unknown message.
    fn ask(&mut self, board: &Board, moves: &[Move], sample: &SampleGame, asked: u64) {
        self.id += 1;
        let legal = board.legal_squares();
        let left = left_ms(sample.clock, asked);
        let line = self
            .encoder
            .encode(self.id, board, &legal, moves, left, None);
        let line = String::from_utf8(line.to_vec()).expect("JSON is UTF-8");
        if asked % 2 == 1 {
            self.send(r#"{"type":"spectators","count":3,"names":["one","two"]}"#);
            self.send(&with_unknown_field(&line));
        } else {
            self.send(&line);
        }
        self.expect("move");
    }
}

fn start(sample: &SampleGame, number: u64) -> Start {
    let some = |ms| (ms > 0).then(|| Duration::from_millis(ms));
    let [move_ms, game_ms, increment_ms] = sample.clock;
    Start {
        game: sample.game,
        you: sample.you,
        move_time: some(move_ms),
        game_time: some(game_ms),
        period_moves: None,
        increment: Duration::from_millis(increment_ms),
        memory_mib: Some(512),
        seed: 4242 + number,
    }
}

/// Returns the bot's clock after `asked` moves, and the opponent's after one more. A move takes 25 ms of a game clock.
fn left_ms([move_ms, game_ms, increment_ms]: [u64; 3], asked: u64) -> [u64; 2] {
    let left = |moves| {
        if game_ms == 0 {
            move_ms
        } else {
            game_ms + moves * increment_ms - moves * 25
        }
    };
    [left(asked), left(asked + 1)]
}

fn over(sample: &SampleGame, last: &Board) -> Over {
    let (result, reason) = match last.ending() {
        _ if sample.resigned => (GameResult::Win, "resigned"),
        Some(ending) => (
            match ending.winner {
                None => GameResult::Draw,
                Some(side) if side == sample.you => GameResult::Win,
                Some(_) => GameResult::Loss,
            },
            ending.reason.word(),
        ),
        None => panic!("{}: the game has not ended", sample.about),
    };
    let [black, white] = last.counts();
    Over {
        result,
        reason: reason.to_owned(),
        black,
        white,
    }
}

fn json(message: &ToBot) -> String {
    serde_json::to_string(message).expect("a message is always JSON")
}

fn with_unknown_field(line: &str) -> String {
    let open = line.trim_end().strip_suffix('}').expect("an object");
    format!(r#"{open},"later":{{"than":[1,null,"version"]}}}}"#)
}
