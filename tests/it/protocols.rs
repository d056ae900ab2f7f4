//! The arena plays with its own bots as if they were foreign engines: what it says in their
//! protocols, they understand, and the other way round. The games are those of the arena's own.

use crate::common::{Desk, table};

/// Botzone's programs tell nothing but their moves: a process a turn, and one that is kept.
#[test]
fn the_games_are_the_same_in_botzone_s_interaction() {
    let desk = Desk::new();
    let arena = env!("CARGO_BIN_EXE_arena");
    for (game, size) in [
        ("othello", ""),
        ("gomoku", "size = 15\nrules = 'freestyle'\n"),
    ] {
        let play = |name: &str, words: &str, protocol: &str| {
            let bot = |depth: u32| {
                format!(
                    "[[bot]]\nname = 'depth-{depth}'\nprotocol = '{protocol}'\nmove_ms = 30000\n\
                     command = ['{arena}', 'bot', 'alphabeta', '--depth', '{depth}', '--hash-mib', '1'{words}]\n"
                )
            };
            // Of moves that lead to the same result a bot that remembers may choose another than one that
            // begins anew; bots of these depths, in these games, do not.
            let head = format!("game = '{game}'\ngames = 2\nseed = 3\n{size}");
            let file = format!("{game}-{name}.toml");
            desk.write(&file, &[head, bot(1), bot(4)].concat());
            desk.succeed(["run", &file]);
            let run = desk.path(format!("results/{game}-{name}"));
            let games = table(&run.join("games.csv"));
            assert!(
                games.iter().all(|game| game["at_fault"].is_empty()),
                "{games:?}"
            );
            let rows = table(&run.join("moves.csv"));
            let moves = rows
                .iter()
                .map(|row| ["game", "ply", "move"].map(|name| row[name].clone()));
            moves.collect::<Vec<_>>()
        };
        let expected = play("own", "", "arena");
        let kept = format!(", '--protocol', 'botzone-keep-running', '--game', '{game}'");
        assert_eq!(play("kept", &kept, "botzone"), expected, "{game}");
        let anew = format!(", '--protocol', 'botzone', '--game', '{game}'");
        assert_eq!(play("anew", &anew, "botzone"), expected, "{game}");
    }
}

/// Game, ply and move of every half-move of a tournament of two bots that play without chance; where
/// the protocol can tell it, also what was thought.
fn moves(desk: &Desk, game: &str, protocol: &str) -> Vec<[String; 5]> {
    let arena = env!("CARGO_BIN_EXE_arena");
    // GTP does not say which game is played.
    let says_game = match protocol {
        "gtp" => format!(", '--game', '{game}'"),
        _ => String::new(),
    };
    let bot = |depth: u32| {
        format!(
            "[[bot]]\nname = 'depth-{depth}'\nprotocol = '{protocol}'\n\
             command = ['{arena}', 'bot', 'alphabeta', '--depth', '{depth}', '--hash-mib', '1', \
             '--protocol', '{protocol}'{says_game}]\n"
        )
    };
    let file = format!("{game}-{protocol}.toml");
    let (first, second) = (bot(1), bot(2));
    let head = format!("game = '{game}'\ngames = 4\nseed = 3\n");
    desk.write(&file, &[head, first, second].concat());
    desk.succeed(["run", &file]);
    let run = desk.path(format!("results/{game}-{protocol}"));
    for row in table(&run.join("standings.csv")) {
        assert_eq!(row["faults"], "0", "{row:?}");
    }
    let rows = table(&run.join("moves.csv"));
    rows.iter()
        .map(|row| ["game", "ply", "move", "depth", "pv"].map(|name| row[name].clone()))
        .collect()
}

#[test]
fn the_games_are_the_same_in_every_protocol() {
    let desk = Desk::new();
    for (game, protocols) in [
        ("othello", ["gtp", "nboard"]),
        ("gomoku", ["gomocup", "gtp"]),
    ] {
        let expected = moves(&desk, game, "arena");
        assert!(expected.len() > 30, "games were played");
        assert!(expected.iter().any(|row| row[4].contains(' ')), "lines");
        for protocol in protocols {
            let mut expected = expected.clone();
            if protocol == "gtp" {
                for row in &mut expected {
                    row[3..].fill(String::new());
                }
            }
            let moves = moves(&desk, game, protocol);
            assert_eq!(moves, expected, "{game} by {protocol}");
        }
    }
}
