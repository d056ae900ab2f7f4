//! Finds stages. `arena stages --make` made the stages in `tournaments/stages`.

use message::message;
use referee::problem;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

use alphabeta::gomoku::puzzle::{Puzzle, chain, natural, scattered};
use games::{Board, canonical_hash};
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::error::Ending;
use crate::cli::{CliError, print_said};
use crate::stages::{Means, Stage, Win};
use run::RunError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PositionSource {
    Natural,
    Scattered,
    /// A position that is mutated until it has a long win by fours.
    Chain,
}

/// A stage to find: its source, the length of its shortest win (chains: the least length), and the win's means.
type WantedStage = (PositionSource, usize, Means);

/// The stages to find, easiest first.
const PLAN: [WantedStage; 26] = {
    use Means::{Fours, Threats};
    use PositionSource::{Chain, Natural, Scattered};
    [
        (Scattered, 5, Fours),
        (Scattered, 5, Threats),
        (Scattered, 7, Fours),
        (Natural, 7, Threats),
        (Scattered, 7, Threats),
        (Natural, 9, Threats),
        (Scattered, 9, Fours),
        (Scattered, 9, Threats),
        (Natural, 11, Threats),
        (Scattered, 11, Fours),
        (Scattered, 11, Threats),
        (Natural, 13, Threats),
        (Scattered, 13, Fours),
        (Scattered, 13, Threats),
        (Natural, 15, Threats),
        (Natural, 15, Fours),
        (Scattered, 15, Threats),
        (Natural, 17, Threats),
        (Scattered, 17, Threats),
        (Natural, 19, Threats),
        (Natural, 21, Threats),
        (Natural, 23, Threats),
        (Natural, 25, Threats),
        (Chain, 31, Fours),
        (Chain, 41, Fours),
        (Chain, 51, Fours),
    ]
};

/// The longest win to search for, in plies, except for chains.
const LONGEST: u32 = 31;
const TRIED: u64 = 4000;
/// The number of positions tried for all chain stages together, and the most mutations of each position.
const CHAINS: (u64, u32) = (200, 1500);
/// The most winning first moves of a stage. Chains, and wins in at most 7 plies, may have more.
const KEYS: usize = 2;

pub(super) fn make(folder: &Path, seed: u64) -> Result<(), CliError> {
    fs::create_dir(folder).map_err(|error| {
        problem!("cannot create the folder {}: {error}", folder.display())
            .help("choose a new folder in an existing folder")
    })?;
    let mut search = StageSearch::new(folder, seed);
    search.look()?;
    let found = search.is_found.iter().filter(|found| **found).count();
    let of = PLAN.len();
    print_said(&message!(
        "{found} of {of} stages written to {}",
        folder.display()
    ))?;
    if found < of {
        return Err(Ending::NotPassed.printed());
    }
    Ok(())
}

struct StageSearch<'a> {
    folder: &'a Path,
    seed: u64,
    is_found: [bool; PLAN.len()],
    seen: HashSet<u64>,
    /// Found chains, which may be longer than planned. They are sorted and written at the end.
    chains: Vec<Stage>,
    bar: ProgressBar,
}

impl StageSearch<'_> {
    fn new(folder: &Path, seed: u64) -> StageSearch<'_> {
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} stages  {msg}  {elapsed}");
        StageSearch {
            folder,
            seed,
            is_found: [false; PLAN.len()],
            seen: HashSet::new(),
            chains: Vec::new(),
            bar: ProgressBar::new(PLAN.len() as u64)
                .with_style(style.expect("the template is right")),
        }
    }

    fn look(&mut self) -> Result<(), CliError> {
        for number in 0..TRIED {
            for source in [PositionSource::Scattered, PositionSource::Natural] {
                if self.is_open(source) {
                    self.bar.set_message(format!("{source:?} {number}"));
                    self.try_one(source, number)?;
                }
            }
        }
        let chains: Vec<usize> = (0..PLAN.len())
            .filter(|&place| PLAN[place].0 == PositionSource::Chain)
            .collect();
        for number in 0..CHAINS.0 {
            // Tries for the longest missing chain; a shorter chain may fill another entry of the plan.
            let missing = chains.iter().rev().find(|&&place| !self.is_found[place]);
            let Some(&place) = missing else { break };
            self.bar.set_message(format!("Chain {number}"));
            let (board, plies) = chain(self.seed, number, CHAINS.1, PLAN[place].1);
            if plies >= PLAN[chains[0]].1 {
                let puzzle = Puzzle::of(&board, plies as u32);
                self.keep(puzzle, PositionSource::Chain, number)?;
            }
        }
        self.bar.finish_and_clear();
        let mut found = std::mem::take(&mut self.chains);
        found.sort_by_key(|stage| stage.win.as_ref().map(|win| win.plies));
        for (place, stage) in chains.into_iter().zip(found) {
            self.write(place, stage)?;
        }
        Ok(())
    }

    fn is_open(&self, source: PositionSource) -> bool {
        let mut places = PLAN.iter().zip(&self.is_found);
        places.any(|(wanted, found)| wanted.0 == source && !found)
    }

    fn try_one(&mut self, source: PositionSource, number: u64) -> Result<(), CliError> {
        let board = match source {
            PositionSource::Natural => natural(self.seed, number),
            PositionSource::Scattered => Some(scattered(self.seed, number)),
            PositionSource::Chain => None,
        };
        let puzzle = board.and_then(|board| Puzzle::of(&board, LONGEST));
        self.keep(puzzle, source, number)
    }

    /// Writes a puzzle as a stage if the plan needs one of its kind. A chain is kept, and written at the end.
    fn keep(
        &mut self,
        puzzle: Option<Puzzle>,
        source: PositionSource,
        number: u64,
    ) -> Result<(), CliError> {
        let Some(puzzle) = puzzle else { return Ok(()) };
        let plies = puzzle.line.len();
        let means = match (puzzle.has_vcf, puzzle.by_fours) {
            (_, true) => Means::Fours,
            (false, _) => Means::Threats,
            (true, false) => Means::Either,
        };
        let fits = |&(from, length, by): &WantedStage| {
            let is_long = from == PositionSource::Chain && length <= plies;
            from == source && by == means && (length == plies || is_long)
        };
        // A chain takes the hardest entry of the plan that it fits.
        let mut places = (0..PLAN.len()).rev();
        let place = places.find(|&place| !self.is_found[place] && fits(&PLAN[place]));
        let Some(place) = place else { return Ok(()) };
        let is_hard = source == PositionSource::Chain || plies <= 7 || puzzle.keys() <= KEYS;
        let board = Board::Gomoku(puzzle.board.clone());
        if !is_hard || !self.seen.insert(canonical_hash(&board)) {
            return Ok(());
        }
        let word = format!("{source:?}").to_lowercase();
        self.is_found[place] = true;
        self.bar.inc(1);
        let stage = Stage {
            name: format!("{word}-{plies}"),
            board,
            moves: Vec::new(),
            answer: None,
            found: Some(format!("{word} position {number} of seed {}", self.seed)),
            win: Some(Win {
                plies: plies as u32,
                means: Some(means),
                line: puzzle.line,
            }),
        };
        if source == PositionSource::Chain {
            self.chains.push(stage);
            return Ok(());
        }
        self.write(place, stage)
    }

    fn write(&self, place: usize, stage: Stage) -> Result<(), CliError> {
        let stage = Stage {
            name: format!("{:02}-{}", place + 1, stage.name),
            ..stage
        };
        let path = self.folder.join(format!("{}.txt", stage.name));
        let cannot = RunError::system(message!("cannot write {}", path.display()));
        Ok(fs::write(&path, stage.to_string()).map_err(cannot)?)
    }
}
