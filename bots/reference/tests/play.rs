//! Tests every opponent through the public interface: legal and deterministic moves, and refused options.

use std::num::{NonZeroU32, NonZeroU64};
use std::time::{Duration, Instant};

use games::gomoku::Rule;
use games::{Board, Game, Move, Rules, Side};
use protocol::{Bot, Info, Question, Start};
use reference::{BadBot, CATALOGUE, Entry, Options, bot};

/// Returns Othello, and Gomoku on small, common and large boards under three rules.
fn games() -> Vec<Game> {
    let gomoku = |(size, rule)| Game::gomoku(size, rule);
    let boards = [
        (5, Rule::Freestyle),
        (9, Rule::Standard),
        (11, Rule::Renju),
        (15, Rule::Freestyle),
        (22, Rule::Renju),
    ];
    std::iter::once(Game::OTHELLO)
        .chain(boards.map(gomoku))
        .collect()
}

fn start(game: Game, you: Side, seed: u64) -> Start {
    Start {
        seed,
        ..Start::untimed(game, you)
    }
}

fn question(board: &Board, moves: &[Move]) -> Question {
    Question::untimed(board.clone(), moves, Instant::now())
}

fn quick(entry: &Entry) -> Options {
    let mut options = Options::default();
    for &option in entry.options {
        match option {
            "depth" => options.depth = NonZeroU32::new(2),
            "playouts" => options.playouts = NonZeroU64::new(50),
            _ => {}
        }
    }
    options
}

fn ready(entry: &Entry, game: Game, you: Side, seed: u64) -> Box<dyn Bot> {
    let mut bot = bot(entry.name, &quick(entry)).expect("it is in the catalogue");
    assert_eq!(bot.name(), entry.name);
    bot.start(&start(game, you, seed))
        .expect("it plays this game");
    bot
}

/// Plays at most `plies` legal plies. Returns the moves, and the reports without times.
fn play(players: [&Entry; 2], game: Game, seed: u64, plies: usize) -> (Vec<Move>, Vec<Info>) {
    let mut bots = Side::BOTH.map(|side| {
        let seed = seed + side.index() as u64;
        ready(players[side.index()], game, side, seed)
    });
    let (mut board, mut moves, mut reports) = (game.start(), Vec::new(), Vec::new());
    while board.ending().is_none() && moves.len() < plies {
        let played = if board.must_pass() {
            Move::Pass
        } else {
            let side = board.side_to_move();
            let mut say = |info: &Info| {
                reports.push(Info {
                    time_ms: None,
                    ..info.clone()
                });
            };
            let played = bots[side.index()].choose(&question(&board, &moves), &mut say);
            let name = players[side.index()].name;
            assert!(
                board.legal_moves().contains(&played),
                "{name} plays {played} in\n{board}"
            );
            played
        };
        board.play(played).expect("it is legal");
        moves.push(played);
    }
    (moves, reports)
}

fn random() -> &'static Entry {
    let mut entries = CATALOGUE.iter();
    entries
        .find(|entry| entry.name == "random")
        .expect("random is in the catalogue")
}

fn plays(entry: &Entry, game: Game) -> bool {
    entry.games().contains(&game.name())
}

#[test]
fn moves_are_legal_in_every_game_and_the_same_each_time() {
    for game in games() {
        for entry in CATALOGUE.iter().filter(|entry| plays(entry, game)) {
            for players in [[entry, random()], [random(), entry]] {
                let once = play(players, game, 7, 60);
                let again = play(players, game, 7, 60);
                assert_eq!(once, again, "{} in {game}", entry.name);
            }
        }
    }
}

#[test]
fn an_answer_depends_on_the_seed_and_not_on_earlier_questions() {
    for game in games() {
        for entry in CATALOGUE.iter().filter(|entry| plays(entry, game)) {
            let (moves, _) = play([entry, random()], game, 3, 12);
            // A new bot gets the last question that black got.
            let last = (moves.len() - 1) & !1;
            let mut board = game.start();
            for &played in &moves[..last] {
                board.play(played).expect("it was legal");
            }
            if board.must_pass() || board.side_to_move() != Side::Black {
                continue;
            }
            let mut fresh = ready(entry, game, Side::Black, 3);
            let played = fresh.choose(&question(&board, &moves[..last]), &mut |_| {});
            assert_eq!(played, moves[last], "{} in {game}", entry.name);
        }
    }
}

#[test]
fn another_seed_is_another_game() {
    let game = Game::OTHELLO;
    let (once, _) = play([random(), random()], game, 1, 20);
    let (other, _) = play([random(), random()], game, 9, 20);
    assert_ne!(once, other);
}

/// A bot answers with a legal move even if it has only 1 ms.
#[test]
fn a_limit_that_has_passed_still_gets_an_answer() {
    for game in games() {
        for entry in CATALOGUE.iter().filter(|entry| plays(entry, game)) {
            let mut bot = bot(entry.name, &Options::default()).expect("it is in the catalogue");
            let limits = Start {
                move_time: Some(Duration::from_millis(1)),
                ..start(game, Side::Black, 5)
            };
            bot.start(&limits).expect("it plays this game");
            let asked = Question {
                left: limits.move_time,
                ..question(&game.start(), &[])
            };
            let played = bot.choose(&asked, &mut |_| {});
            assert!(game.start().legal_moves().contains(&played));
        }
    }
}

#[test]
fn a_game_that_is_not_played_is_refused() {
    for game in games() {
        for entry in CATALOGUE.iter().filter(|entry| !plays(entry, game)) {
            let mut bot = bot(entry.name, &Options::default()).expect("it is in the catalogue");
            let refusal = bot.start(&start(game, Side::Black, 1));
            let (name, only, game) = (entry.name, entry.games()[0], game.name());
            let expected = format!("{name} plays {only} only, not {game}");
            assert_eq!(refusal, Err(expected));
        }
    }
}

#[test]
fn invalid_options_are_refused() {
    let depth = |plies| Options {
        depth: NonZeroU32::new(plies),
        ..Options::default()
    };
    let refusal = |name, options: &Options| bot(name, options).err().map(|error| error.to_string());
    let playouts = Options {
        playouts: NonZeroU64::new(9),
        ..depth(3)
    };
    let too_deep = "a depth of 21 is out of the range 1 to 20";
    let no_depth = "greedy takes no --depth: it has no options";
    let no_playouts = "minimax takes no --playouts: it takes --depth";
    for (name, options, expected) in [
        ("minimax", depth(3), None),
        ("minimax", depth(21), Some(too_deep)),
        ("greedy", depth(3), Some(no_depth)),
        ("minimax", playouts, Some(no_playouts)),
    ] {
        assert_eq!(refusal(name, &options).as_deref(), expected, "{name}");
    }
    assert!(matches!(
        bot("gready", &Options::default()),
        Err(BadBot::Unknown { name }) if name == "gready"
    ));
}
