//! The Python package: bots as functions and classes, and runs played and read from Python.

use std::process::{Command, Output};

use crate::common::{Desk, both, says, table};

const PACKAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/bots/python/package");

/// A command that finds the package, and the arena through it.
fn with_package(command: &mut Command) -> Output {
    command
        .env("PYTHONPATH", PACKAGE)
        .env("ARENA", env!("CARGO_BIN_EXE_arena"))
        .output()
        .expect("it starts")
}

const FUNCTION: &str = "
from arena_bot import Turn, play

def choose(turn: Turn):
    print('to standard error', turn)
    mine = sum(cell == 1 for row in turn.board for cell in row)
    letter = 'X' if turn.you == 'black' else 'O'
    assert mine == ''.join(turn.rows).count(letter)
    turn.info(depth=3, score=1.5, nodes=7, pv=[turn.squares[0]])
    return turn.squares[0]

play(choose)
";

const CLASS: &str = "
import sys
from arena_bot import play

class Bot:
    def start(self, game):
        self.game, self.asked = game, 0
    def choose(self, turn):
        self.asked += 1
        assert turn.game == self.game
        return turn.legal[-1]
    def over(self, result):
        assert result.result in ('win', 'loss', 'draw', 'void'), result
        open('over.txt', 'a').write(f'{result.reason}\\n')

play(Bot, name='classy')
";

#[test]
fn bots_are_functions_or_classes() {
    let desk = Desk::new();
    desk.write("function.py", FUNCTION);
    desk.write("class.py", CLASS);
    for bot in ["function.py", "class.py"] {
        let output = with_package(&mut desk.arena(["check", bot]));
        assert!(output.status.success(), "{}", both(&output));
    }
    for game in ["othello", "gomoku"] {
        let words = [
            "match",
            "function.py",
            "class.py",
            "--game",
            game,
            "-n",
            "4",
        ];
        let output = with_package(&mut desk.arena([&words[..], &["--out", game]].concat()));
        assert!(output.status.success(), "{}", both(&output));
        let games = table(&desk.path(format!("{game}/games.csv")));
        assert!(games.iter().all(|game| game["at_fault"].is_empty()));
        // The function's first legal move, told and played.
        let moves = table(&desk.path(format!("{game}/moves.csv")));
        let told: Vec<_> = moves.iter().filter(|ply| ply["depth"] == "3").collect();
        assert!(!told.is_empty());
        for ply in told {
            assert_eq!(
                (ply["bot"].as_str(), &ply["pv"]),
                ("function", &ply["move"])
            );
        }
    }
    let over = std::fs::read_to_string(desk.path("over.txt")).expect("games ended");
    says(&over, &["discs", "five"]);
}

/// Counts come from the arena's own tables, which Python reads and draws.
const READER: &str = "
import arena
run = arena.match('random', 'greedy', games=4, seed=3, out='othello')
assert [row['rank'] for row in run.standings] == [1, 2]
assert sum(row['games'] for row in run.standings) == 8 and len(run.games) == 4
for row in run.games:
    last = run.replay(row['game']).positions()[-1]
    discs = [sum(line.count(disc) for line in last) for disc in 'XO']
    assert discs == [row['black_count'], row['white_count']], row
again = arena.load('othello')
assert again.games == run.games
page = str(arena.match('random', 'greedy', game='gomoku', games=2).replay(1))
assert page.count('<script') == 2 and '</script>' in page
try:
    arena.match('nosuch', 'greedy')
except arena.ArenaError as error:
    assert error.status == 2 and 'unknown bot' in str(error), error
else:
    raise AssertionError('it was played')
";

#[test]
fn runs_are_played_and_read() {
    let desk = Desk::new();
    desk.write("reader.py", READER);
    let mut python = Command::new("python3");
    let output = with_package(python.arg("reader.py").current_dir(desk.path("")));
    assert!(output.status.success(), "{}", both(&output));
    assert!(desk.path("results/random-greedy/games.csv").is_file());
}
