//! `alphabeta analyze`: scores every legal move of a position, or every move of a game.

use std::io::{self, Write};

use crate::othello::analysis::{Analyst, MoveScore};
use crate::othello::notation;
use crate::search::Move;
use games::{Board, Game, Rules, parse_transcript};

use super::{Failure, format_line, read_othello};

/// Score every legal move of an Othello position, or every move of a game
///
/// Prints the score and the best line of every legal move, in discs for the side to move. With --game, prints
/// the score of each move of a transcript and the discs that it lost. Scores without decimals are exact.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A transcript such as f5d6c3, or 64 squares and the side to move
    position: String,
    /// Score each move of the transcript, instead of all moves in the final position
    #[arg(long)]
    game: bool,
    /// Search depth in plies
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(i32).range(1..=60))]
    depth: i32,
    /// Solve exactly the moves that leave at most this many empty squares
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(..=60))]
    solve_from: u32,
    /// Maximum size of the transposition table, in MiB
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..1 << 20))]
    hash_mib: u32,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let hash_mib = arguments.hash_mib as usize;
    let mut analyst = Analyst::new(arguments.depth, arguments.solve_from, hash_mib);
    if arguments.game {
        game(&mut analyst, &arguments.position)
    } else {
        one_position(&mut analyst, &arguments.position)
    }
}

fn one_position(analyst: &mut Analyst, text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let board = read_othello(text)?;
    let mut position = board.position();
    writeln!(out, "{}\n", Board::Othello(board))?;
    if position.is_over() {
        return Ok(());
    }
    if board.must_pass() {
        let side = board.side_to_move();
        writeln!(out, "{side} must pass; for {}:", !side)?;
        position = position.pass();
    }
    writeln!(out, "move   score  line")?;
    for one in analyst.moves(position) {
        let (score, line) = (score(&one), format_line(&one.line));
        writeln!(out, "{:4} {score:>7}  {line}", notation(one.played))?;
    }
    Ok(())
}

fn game(analyst: &mut Analyst, text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let (moves, _) = parse_transcript(Game::OTHELLO, text).map_err(Failure::input)?;
    let mut board = Game::OTHELLO.start();
    let mut lost = [0.0; 2];
    writeln!(out, "ply  side   move   score    loss  best  line")?;
    for (ply, &played) in (1..).zip(&moves) {
        let side = board.side_to_move();
        if let (Board::Othello(now), games::Move::Place(square)) = (&board, played) {
            let judged = analyst.judge(now.position(), Move(square.index(8) as u16));
            let (worth, loss) = (score(&judged.played), judged.loss());
            lost[side.index()] += loss;
            let best = format_line(&judged.best.line);
            writeln!(
                out,
                "{ply:3}  {side:5}  {played:4} {worth:>7} {loss:>7.2}  {best}"
            )?;
        }
        board.play(played).map_err(Failure::own)?;
    }
    writeln!(
        out,
        "discs lost: black {:.2}, white {:.2}",
        lost[0], lost[1]
    )?;
    Ok(())
}

fn score(one: &MoveScore) -> String {
    if one.exact {
        format!("{:+.0}", one.score)
    } else {
        format!("{:+.2}", one.score)
    }
}
