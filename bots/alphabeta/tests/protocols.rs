//! A whole game through each protocol that a foreign manager speaks: the moves are those that the
//! arena's own protocol brings out, as the same nodes are searched.

use std::io::{BufRead, BufReader, Write, pipe};
use std::thread;

use alphabeta::Options;
use games::{Board, Game, Move, Rules, Side};
use protocol::engine::{Language, Setting, speak};
use protocol::notation::{gomocup, gtp::Vertices};
use protocol::{Hello, MoveMessage, Start, ToBot, TurnEncoder};

/// A bot in a thread, with pipes as a process has.
struct Player {
    input: Box<dyn Write>,
    output: Box<dyn BufRead>,
}

impl Player {
    fn new(protocol: Language, game: Option<Game>) -> Player {
        let ((bot_in, input), (output, bot_out)) =
            (pipe().expect("a pipe"), pipe().expect("a pipe"));
        let setting = Setting {
            protocol,
            game: game.map(|game| game.name().to_owned()),
            seed: (protocol != Language::Arena).then_some(1),
            ..Setting::default()
        };
        thread::spawn(move || {
            let options = Options {
                nodes: Some(1500),
                hash_mib: Some(1),
                ..Options::default()
            };
            let mut bot = alphabeta::bot(&options).expect("options that can be");
            speak(&mut *bot, &setting, BufReader::new(bot_in), bot_out)
        });
        Player {
            input: Box::new(input),
            output: Box::new(BufReader::new(output)),
        }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input, "{line}").expect("the bot listens");
    }

    /// The next line that `read` makes something of.
    fn hear<T>(&mut self, read: impl Fn(&str) -> Option<T>) -> T {
        loop {
            let mut line = String::new();
            let read_bytes = self.output.read_line(&mut line).expect("text");
            assert!(read_bytes > 0, "the bot has gone");
            if let Some(heard) = read(line.trim()) {
                return heard;
            }
        }
    }
}

/// One protocol's way to play one side of a game.
trait Seat {
    /// The move in this position, after these moves.
    fn choose(&mut self, board: &Board, moves: &[Move]) -> Move;
}

struct Json(Player, TurnEncoder);

impl Json {
    fn new(game: Game, you: Side) -> Json {
        let mut player = Player::new(Language::Arena, None);
        let hello = Hello::from(&Start::untimed(game, you));
        player.say(&serde_json::to_string(&ToBot::Hello(hello)).expect("JSON"));
        Json(player, TurnEncoder::new())
    }
}

impl Seat for Json {
    fn choose(&mut self, board: &Board, moves: &[Move]) -> Move {
        let line = self
            .1
            .encode(1, board, &board.legal_squares(), moves, [0, 0], None);
        self.0.input.write_all(line).expect("the bot listens");
        self.0.hear(|line| {
            let reply: MoveMessage = serde_json::from_str(line).ok()?;
            reply.played.parse().ok()
        })
    }
}

struct Gomocup(Player);

impl Seat for Gomocup {
    fn choose(&mut self, _: &Board, moves: &[Move]) -> Move {
        match moves.last() {
            None => self.0.say("BEGIN"),
            Some(played) => {
                let square = played.square().expect("Gomoku has no passes");
                self.0.say(&format!("TURN {}", gomocup::write(square)));
            }
        }
        self.0
            .hear(|line| gomocup::read(line).ok().map(Move::Place))
    }
}

/// The same game with every position told whole, white's stones first and all backwards.
struct GomocupBoard(Player);

impl Seat for GomocupBoard {
    fn choose(&mut self, board: &Board, moves: &[Move]) -> Move {
        self.0.say("BOARD");
        let you = board.side_to_move();
        for side in [Side::White, Side::Black] {
            for square in moves.iter().rev().filter_map(|played| played.square()) {
                if board.at(square) == Some(side) {
                    let field = if side == you { 1 } else { 2 };
                    self.0.say(&format!("{},{field}", gomocup::write(square)));
                }
            }
        }
        self.0.say("DONE");
        self.0
            .hear(|line| gomocup::read(line).ok().map(Move::Place))
    }
}

/// Passes are told in one game and left out in the other, as Quarry leaves them out.
struct Gtp {
    player: Player,
    told: usize,
    tells_passes: bool,
}

impl Seat for Gtp {
    fn choose(&mut self, board: &Board, moves: &[Move]) -> Move {
        let vertices = Vertices::of(board.game());
        let mut side = Side::Black;
        let player = &mut self.player;
        for (number, &played) in moves.iter().enumerate() {
            let is_told = self.tells_passes || played != Move::Pass;
            if number >= self.told && is_told {
                player.say(&format!("play {side} {}", vertices.write(played)));
                player.hear(|line| (line == "=").then_some(()));
            }
            side = !side;
        }
        player.say(&format!("genmove {}", board.side_to_move()));
        self.told = moves.len() + 1;
        player.hear(|line| vertices.read(line.strip_prefix("= ")?).ok())
    }
}

struct Nboard(Player, usize);

impl Seat for Nboard {
    fn choose(&mut self, _: &Board, moves: &[Move]) -> Move {
        for played in &moves[self.1..] {
            let name = played
                .square()
                .map_or("PA".to_owned(), |square| square.to_string());
            self.0.say(&format!("move {name}//0.01"));
        }
        self.1 = moves.len();
        self.0.say("go");
        self.0
            .hear(|line| line.strip_prefix("=== ")?.split('/').next()?.parse().ok())
    }
}

/// How many moves have been told, its own included; `None`: not asked yet. A bot that has to pass is
/// asked all the same, and says so.
struct Botzone(Player, Option<usize>);

impl Seat for Botzone {
    fn choose(&mut self, board: &Board, moves: &[Move]) -> Move {
        let point = |played: Option<&Move>| {
            let square = played.and_then(|played| played.square());
            let (x, y) = square.map_or((-1, -1), |square| {
                (i32::from(square.column()), i32::from(square.row()))
            });
            format!("{{\"x\":{x},\"y\":{y}}}")
        };
        let last = point(moves.last());
        if let Some(told) = self.1 {
            let (passed, _) = moves[told..].as_chunks::<2>();
            for [theirs, own] in passed {
                assert_eq!(*own, Move::Pass);
                self.0.say(&point(Some(theirs)));
                self.0.hear(|line| line.contains("response").then_some(()));
            }
            self.0.say(&last);
        } else {
            let request = match board.side_to_move() {
                Side::Black => point(None),
                Side::White => last,
            };
            self.0
                .say(&format!("{{\"requests\":[{request}],\"responses\":[]}}"));
        }
        self.1 = Some(moves.len() + 1);
        self.0.hear(|line| {
            let output: serde_json::Value = serde_json::from_str(line).ok()?;
            let number = |name: &str| Some(output["response"][name].as_u64()? as u8);
            let (column, row) = (number("x")?, number("y")?);
            Some(Move::Place(games::Square::new(column, row)))
        })
    }
}

fn seat(name: &str, game: Game, you: Side) -> Box<dyn Seat> {
    let told = |protocol, lines: &[&str]| {
        let mut player = Player::new(protocol, None);
        for line in lines {
            player.say(line);
        }
        player
    };
    match name {
        "json" => Box::new(Json::new(game, you)),
        "gomocup" => Box::new(Gomocup(told(Language::Gomocup, &["START 15"]))),
        "gomocup board" => Box::new(GomocupBoard(told(Language::Gomocup, &["START 15"]))),
        "gtp" | "gtp without passes" => Box::new(Gtp {
            player: Player::new(Language::Gtp, Some(game)),
            told: 0,
            tells_passes: name == "gtp",
        }),
        "nboard" => Box::new(Nboard(told(Language::Nboard, &["nboard 2"]), 0)),
        "botzone" => Box::new(Botzone(
            Player::new(Language::BotzoneKeepRunning, Some(game)),
            None,
        )),
        name => panic!("no protocol {name}"),
    }
}

/// A game of the bot against itself, both sides in the same protocol.
fn game(name: &str, game: Game) -> Vec<Move> {
    let mut seats = Side::BOTH.map(|side| seat(name, game, side));
    let mut board = game.start();
    let mut moves = Vec::new();
    while board.ending().is_none() {
        let played = if board.must_pass() {
            Move::Pass
        } else {
            seats[board.side_to_move().index()].choose(&board, &moves)
        };
        board
            .play(played)
            .unwrap_or_else(|bad| panic!("{name}: {bad}"));
        moves.push(played);
    }
    moves
}

#[test]
fn every_protocol_brings_out_the_same_game() {
    let gomoku = Game::new("gomoku", None, Some(15)).expect("a game");
    for (played, protocols) in [
        (gomoku, &["gomocup", "gomocup board", "gtp", "botzone"][..]),
        (
            Game::OTHELLO,
            &["gtp", "gtp without passes", "nboard", "botzone"][..],
        ),
    ] {
        let expected = game("json", played);
        for name in protocols {
            assert_eq!(game(name, played), expected, "{played} by {name}");
        }
    }
}
