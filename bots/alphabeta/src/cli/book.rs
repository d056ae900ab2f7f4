//! `alphabeta book`: the opening book of Othello.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use alphabeta::othello::book::{Book, Making, make};
use alphabeta::othello::{DISC, notation};

use super::{Failure, writable};

/// Make or show the opening book of Othello
///
/// Makes one out of our own searches, or shows what the one that comes with the program says. A bot
/// plays from that one with --book.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    job: Job,
}

#[derive(clap::Subcommand)]
enum Job {
    /// Search the positions that good play reaches, the likeliest first, and keep their best moves
    Make {
        /// Where the book goes
        #[arg(long)]
        out: PathBuf,
        /// Positions it is to know
        #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
        positions: u32,
        /// Plies searched in each
        #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(i32).range(2..=40))]
        depth: i32,
        /// MiB that the transposition table may grow to
        #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..1 << 20))]
        hash_mib: u32,
    },
    /// The book's line from a position on
    Show {
        /// A transcript such as f5d6c3, or 64 squares and the side to move
        #[arg(allow_hyphen_values = true, value_parser = super::typed, default_value = "")]
        position: String,
        /// A book of one's own
        #[arg(long)]
        from: Option<PathBuf>,
    },
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.job {
        Job::Make {
            out,
            positions,
            depth,
            hash_mib,
        } => {
            let making = Making {
                positions: *positions as usize,
                depth: *depth,
                hash_mib: *hash_mib as usize,
            };
            writable(out)?;
            let book = make(&making, &mut |done| {
                if done % 100 == 0 {
                    // Nobody listening is no reason to stop.
                    let _ = writeln!(io::stderr(), "{done} positions");
                }
            });
            let bytes = book.encode();
            fs::write(out, &bytes)
                .map_err(|error| Failure::own(format!("{}: {error}", out.display())))?;
            let (positions, size) = (book.len(), bytes.len());
            writeln!(io::stdout(), "{positions} positions, {size} bytes")?;
            Ok(())
        }
        Job::Show { position, from } => show(position, from.as_ref()),
    }
}

fn show(position: &str, from: Option<&PathBuf>) -> Result<(), Failure> {
    let own = match from {
        None => None,
        Some(path) => {
            let bad = |why: String| Failure::input(format!("{}: {why}", path.display()));
            let bytes = fs::read(path).map_err(|error| bad(error.to_string()))?;
            Some(Book::decode(&bytes).map_err(|error| bad(error.to_string()))?)
        }
    };
    let book = own.as_ref().unwrap_or_else(|| Book::shipped());
    let mut out = io::stdout().lock();
    let board = super::board(position)?;
    writeln!(out, "{}\n", games::Board::Othello(board))?;
    writeln!(out, "the book knows {} positions", book.len())?;
    let mut now = board.position();
    while let Some(entry) = book.find(now) {
        let score = f64::from(entry.score) / f64::from(DISC);
        writeln!(out, "{} {score:+.2}", notation(entry.best))?;
        now = now.play(entry.best.index());
    }
    Ok(())
}
