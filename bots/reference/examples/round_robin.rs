//! Every opponent against every other, in one process: who is stronger, and how long they think.
//!
//! `cargo run --release -p reference --example round_robin -- GAMES [GAME [BOT …]]` plays GAMES
//! games a pairing of Othello and of Gomoku (15×15, freestyle), or of the one named, between all
//! opponents or those named. Openings are random moves, in Gomoku about the centre, and each is
//! played twice with colours swapped. Prints Markdown tables: points of the row's bot against the
//! column's in percent, and the time a move took.

use std::time::{Duration, Instant};

use games::{Board, Game, Move, Rules, Side};
use protocol::{Bot, Question, Start};
use reference::{CATALOGUE, Entry, Options, bot};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let games: usize = arguments.next().map_or(Ok(20), |text| text.parse())?;
    let names: Vec<_> = arguments.next().map_or_else(
        || games::names().into_iter().map(str::to_owned).collect(),
        |name| vec![name],
    );
    let chosen: Vec<_> = arguments.collect();
    for name in names {
        let game = Game::new(&name, None, None)?;
        let entries: Vec<_> = CATALOGUE
            .iter()
            .filter(|entry| chosen.is_empty() || chosen.iter().any(|name| name == entry.name))
            .filter(|entry| entry.games().contains(&game.name()))
            .collect();
        round_robin(game, &entries, games);
    }
    Ok(())
}

/// Plays all pairings and prints the tables.
fn round_robin(game: Game, entries: &[&Entry], games: usize) {
    let count = entries.len();
    let mut points = vec![vec![0.0; count]; count];
    let mut times = vec![Vec::new(); count];
    for row in 0..count {
        for column in row + 1..count {
            for number in 0..games {
                let opening = opening(game, number / 2);
                let mut players = [row, column];
                if number % 2 == 1 {
                    players.reverse();
                }
                let winner = play(game, players, entries, &opening, number as u64, &mut times);
                let share = match winner {
                    None => 0.5,
                    Some(side) if players[side.index()] == row => 1.0,
                    Some(_) => 0.0,
                };
                points[row][column] += share;
                points[column][row] += 1.0 - share;
            }
            eprintln!(
                "{} – {}: {} of {games}",
                entries[row].name, entries[column].name, points[row][column]
            );
        }
    }
    print_tables(game, entries, games, &points, &mut times);
}

fn print_tables(
    game: Game,
    entries: &[&Entry],
    games: usize,
    points: &[Vec<f64>],
    times: &mut [Vec<Duration>],
) {
    print!("\n{game}, {games} games a pairing\n\n| % against |");
    for entry in entries {
        print!(" {} |", entry.name);
    }
    print!(" all | median ms | slowest ms |\n|---|");
    println!("{}", "---:|".repeat(entries.len() + 3));
    for (row, entry) in entries.iter().enumerate() {
        print!("| {} |", entry.name);
        for (column, points) in points[row].iter().enumerate() {
            if row == column {
                print!(" |");
            } else {
                print!(" {:.0} |", 100.0 * points / games as f64);
            }
        }
        let all: f64 = points[row].iter().sum();
        let times = &mut times[row];
        times.sort_unstable();
        let ms = |time: Duration| time.as_secs_f64() * 1000.0;
        println!(
            " **{:.0}** | {:.2} | {:.1} |",
            100.0 * all / (games * (entries.len() - 1)) as f64,
            ms(times[times.len() / 2]),
            ms(times[times.len() - 1]),
        );
    }
}

/// The first moves of a pair of games: six in Othello, three about the centre in Gomoku.
fn opening(game: Game, pair: usize) -> Vec<Move> {
    let plies = if game == Game::OTHELLO { 6 } else { 3 };
    let mut state = pair as u64;
    loop {
        let mut board = game.start();
        let mut moves = Vec::new();
        for _ in 0..plies {
            let mut legal = board.legal_moves();
            if game != Game::OTHELLO {
                let centre = |coordinate: u8| coordinate.abs_diff(game.size() / 2) <= 2;
                legal.retain(|played| {
                    let square = played.square();
                    square.is_some_and(|square| centre(square.column()) && centre(square.row()))
                });
            }
            let choice = mix(&mut state) as usize % legal.len();
            board.play(legal[choice]).expect("it is legal");
            moves.push(legal[choice]);
        }
        if board.ending().is_none() {
            return moves;
        }
    }
}

/// `SplitMix64` (G. Steele, D. Lea, C. Flood, 2014): enough to vary openings.
fn mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Plays one game, black first of `players`; who won. Adds each move's time.
fn play(
    game: Game,
    players: [usize; 2],
    entries: &[&Entry],
    opening: &[Move],
    seed: u64,
    times: &mut [Vec<Duration>],
) -> Option<Side> {
    let mut bots: [Box<dyn Bot>; 2] = Side::BOTH.map(|side| {
        let entry = entries[players[side.index()]];
        let mut bot = bot(entry.name, &Options::default()).expect("it is in the catalogue");
        let start = Start {
            game,
            you: side,
            move_time: None,
            game_time: None,
            increment: Duration::ZERO,
            memory_mib: None,
            seed: 2 * seed + side.index() as u64,
        };
        bot.start(&start).expect("it plays this game");
        bot
    });
    let mut board: Board = game.start();
    let mut moves = Vec::new();
    let mut opening = opening.iter();
    loop {
        if let Some(ending) = board.ending() {
            return ending.winner;
        }
        let side = board.side_to_move().index();
        let played = if let Some(&played) = opening.next() {
            played
        } else if board.must_pass() {
            Move::Pass
        } else {
            let asked_at = Instant::now();
            let question = Question {
                board: board.clone(),
                moves: moves.clone(),
                left: None,
                opponent_left: None,
                asked_at,
            };
            let played = bots[side].choose(&question, &mut |_| {});
            times[players[side]].push(asked_at.elapsed());
            played
        };
        board.play(played).expect("bots play legal moves");
        moves.push(played);
    }
}
