//! `alphabeta solve`: perfect play for the positions of a file.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, mpsc};
use std::time::{Duration, Instant};
use std::{fs, thread};

use games::formats::text::{self, NotText};
use games::othello::obf::{self, ObfPosition, ScoredMove};

use super::{Failure, format_line};
use crate::othello::endgame::{Solution, Team};
use crate::othello::{ExactSolver, notation};

/// Solve Othello endgames exactly: positions in OBF, one per line
///
/// Prints for each position the best move, the score in discs, nodes, time and the line of perfect play, and
/// then the totals. Exits with 1 if a score differs from the one in the file.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Positions in OBF: `64 squares side; move:score …; % comment`
    file: PathBuf,
    /// Maximum size of all transposition tables together, in MiB
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..1 << 20))]
    hash_mib: u32,
    /// Number of threads. Each thread solves its own position; when no position is left, it helps another thread
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Append each solution to this file, in OBF. Positions that the file already has are not solved again,
    /// so the same command continues an interrupted run
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

enum Solved {
    Now(Solution, u64, Duration),
    Before(ObfPosition),
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let path = arguments.file.display();
    let bad = |why: &dyn Display| Failure::input(format!("{path}: {why}"));
    let bytes = fs::read(&arguments.file).map_err(|error| bad(&error))?;
    let text = text::decode(&bytes).map_err(|why| bad(&format!("{why}: {}", NotText::FIX)))?;
    let problems = obf::read(&text).map_err(|error| bad(&error))?;
    if problems.is_empty() {
        return Err(bad(
            &"the file has no position: write one per line, as 64 squares and the side to move",
        ));
    }
    let mut saved = arguments
        .save
        .as_deref()
        .map(SolutionFile::open)
        .transpose()?;
    writeln!(
        io::stdout().lock(),
        "  no empties  score  best      nodes   time s  Mnodes/s  line"
    )?;
    let mut table = SolutionTable::new(&problems);
    let mut open = Vec::new();
    for (number, problem) in problems.iter().enumerate() {
        match saved.as_ref().and_then(|saved| saved.find(problem)) {
            Some(known) => table.add(number, Solved::Before(known))?,
            None => open.push(number),
        }
    }
    let threads = arguments.threads as usize;
    let at_once = threads.min(open.len()).max(1);
    let hash_mib = (arguments.hash_mib as usize / at_once).max(1);
    let work = SolveQueue::new(open);
    thread::scope(|scope| {
        let (sender, solutions) = mpsc::channel();
        for _ in 0..threads {
            let (sender, work, problems) = (sender.clone(), &work, &problems);
            scope.spawn(move || solve(work, problems, threads, hash_mib, &sender));
        }
        drop(sender);
        let mut print = || {
            for (number, solution, nodes, took) in &solutions {
                if let Some(saved) = &mut saved {
                    saved.add(&problems[number], &solution)?;
                }
                table.add(number, Solved::Now(solution, nodes, took))?;
            }
            Ok(())
        };
        let printed: Result<(), Failure> = print();
        work.stop();
        printed
    })?;
    table.end()
}

/// Runs one of `threads` threads, with a table of `hash_mib` MiB, until no job is left or the receiver is gone.
fn solve(
    work: &SolveQueue,
    problems: &[ObfPosition],
    threads: usize,
    hash_mib: usize,
    solved: &mpsc::Sender<(usize, Solution, u64, Duration)>,
) {
    let mut solver = None;
    let new = || ExactSolver::new(hash_mib);
    while let Some(job) = work.next(|| solver.get_or_insert_with(new).team()) {
        let (number, team) = match job {
            SolveTask::Solve(number, team) => (number, team),
            SolveTask::Help(team) => {
                ExactSolver::help(&team);
                continue;
            }
        };
        let began = Instant::now();
        let position = problems[number].board.position();
        let solver = solver.get_or_insert_with(new);
        let (solution, nodes) = match threads {
            1 => solver.solve(position),
            _ => solver.solve_with(&team, position),
        };
        work.done(number);
        if solved
            .send((number, solution, nodes, began.elapsed()))
            .is_err()
        {
            return;
        }
    }
}

struct SolutionTable<'a> {
    problems: &'a [ObfPosition],
    waiting: BTreeMap<usize, Solved>,
    printed: usize,
    solved: usize,
    nodes: u64,
    time: Duration,
    wrong: usize,
}

impl SolutionTable<'_> {
    fn new(problems: &[ObfPosition]) -> SolutionTable<'_> {
        SolutionTable {
            problems,
            waiting: BTreeMap::new(),
            printed: 0,
            solved: 0,
            nodes: 0,
            time: Duration::ZERO,
            wrong: 0,
        }
    }

    fn add(&mut self, number: usize, solved: Solved) -> Result<(), Failure> {
        self.waiting.insert(number, solved);
        self.solved += 1;
        if io::stderr().is_terminal() {
            eprint!("{} of {} solved\r", self.solved, self.problems.len());
        }
        let mut out = io::stdout().lock();
        while let Some(solved) = self.waiting.remove(&self.printed) {
            let problem = &self.problems[self.printed];
            self.printed += 1;
            let (score, row) = match solved {
                Solved::Now(solution, nodes, took) => {
                    self.nodes += nodes;
                    self.time += took;
                    (Some(solution.score), row(&solution, nodes, took))
                }
                Solved::Before(known) => {
                    let best = known.moves.first();
                    let score = best.and_then(|best| best.score);
                    let best = best.map_or("-".to_owned(), |best| best.played.to_string());
                    let row = format!("{:+5}  {best:>4}  saved before", score.unwrap_or_default());
                    (score, row)
                }
            };
            let note = match problem.best_score() {
                Some(expected) if Some(expected) != score => {
                    self.wrong += 1;
                    format!("  WRONG: {expected:+} expected")
                }
                _ => String::new(),
            };
            let empties = problem.board.position().empties().count_ones();
            writeln!(out, "{:4} {empties:7}  {row}{note}", self.printed)?;
        }
        Ok(())
    }

    fn end(self) -> Result<(), Failure> {
        let figures = figures(self.nodes, self.time);
        writeln!(io::stdout().lock(), "{:>22} {figures}", "total")?;
        if self.wrong > 0 {
            let all = self.problems.len();
            return Err(Failure::not_passed(format!(
                "{} of {all} scores differ from those in the file",
                self.wrong
            )));
        }
        Ok(())
    }
}

fn row(solution: &Solution, nodes: u64, time: Duration) -> String {
    let line = format_line(&solution.line);
    let best = line.split(' ').next().filter(|best| !best.is_empty());
    let (best, figures) = (best.unwrap_or("-"), figures(nodes, time));
    format!("{:+5}  {best:>4} {figures}  {line}", solution.score)
}

fn figures(nodes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let rate = nodes as f64 / seconds.max(1e-9) / 1e6;
    format!("{nodes:10} {seconds:8.3} {rate:9.1}")
}

struct SolutionFile {
    path: PathBuf,
    file: File,
    known: Vec<ObfPosition>,
}

impl SolutionFile {
    /// Opens or creates the file. Cuts off an incomplete last line, which an interrupted run may have left.
    fn open(path: &Path) -> Result<SolutionFile, Failure> {
        let bad =
            |why: &dyn std::fmt::Display| Failure::input(format!("{}: {why}", path.display()));
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        let mut file = options.open(path).map_err(|error| bad(&error))?;
        let mut text = String::new();
        file.read_to_string(&mut text)
            .map_err(|error| bad(&error))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let known = obf::read(&text[..whole]).map_err(|error| bad(&error))?;
        if whole < text.len() {
            file.set_len(whole as u64).map_err(|error| bad(&error))?;
        }
        let path = path.to_owned();
        Ok(SolutionFile { path, file, known })
    }

    fn find(&self, problem: &ObfPosition) -> Option<ObfPosition> {
        let is_same =
            |known: &&ObfPosition| known.board == problem.board && known.best_score().is_some();
        self.known.iter().find(is_same).cloned()
    }

    fn add(&mut self, problem: &ObfPosition, solution: &Solution) -> Result<(), Failure> {
        let best = solution.line.first().map(|&best| ScoredMove {
            played: notation(best),
            score: Some(solution.score),
        });
        let solved = ObfPosition {
            moves: best.into_iter().collect(),
            ..problem.clone()
        };
        let line = format!("{solved}\n");
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|error| Failure::own(format!("{}: {error}", self.path.display())))
    }
}

// Each thread solves a different position. When none is left, idle threads join the team with the fewest helpers.

struct SolveQueue(Mutex<QueueState>);

struct QueueState {
    open: VecDeque<usize>,
    at_work: Vec<InProgress>,
}

struct InProgress {
    number: usize,
    team: Arc<Team>,
    helpers: usize,
}

enum SolveTask {
    Solve(usize, Arc<Team>),
    Help(Arc<Team>),
}

impl SolveQueue {
    fn new(open: impl IntoIterator<Item = usize>) -> SolveQueue {
        SolveQueue(Mutex::new(QueueState {
            open: open.into_iter().collect(),
            at_work: Vec::new(),
        }))
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.0.lock().expect("nothing panics in here")
    }

    /// Returns the next job; `None` if no job is left. Calls `team` only if the job is to solve a position. The thread
    /// that solves it must then call [`SolveQueue::done`].
    fn next(&self, team: impl FnOnce() -> Arc<Team>) -> Option<SolveTask> {
        let mut state = self.state();
        if let Some(number) = state.open.pop_front() {
            let team = team();
            state.at_work.push(InProgress {
                number,
                team: Arc::clone(&team),
                helpers: 0,
            });
            return Some(SolveTask::Solve(number, team));
        }
        // Drops teams that ended without `done`, because their thread panicked.
        state.at_work.retain(|one| !one.team.is_over());
        let weakest = state.at_work.iter_mut().min_by_key(|one| one.helpers)?;
        weakest.helpers += 1;
        Some(SolveTask::Help(Arc::clone(&weakest.team)))
    }

    fn done(&self, number: usize) {
        self.state().at_work.retain(|one| one.number != number);
    }

    fn stop(&self) {
        self.state().open.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_idle_thread_joins_the_team_with_the_fewest_helpers() {
        let solver = ExactSolver::new(1);
        let work = SolveQueue::new([3, 7]);
        let mut teams = Vec::new();
        for number in [3, 7] {
            match work.next(|| solver.team()) {
                Some(SolveTask::Solve(next, team)) if next == number => teams.push(team),
                _ => panic!("{number} is open"),
            }
        }
        let helped = |work: &SolveQueue| match work.next(|| unreachable!("nothing is open")) {
            Some(SolveTask::Help(team)) => teams.iter().position(|one| Arc::ptr_eq(one, &team)),
            _ => None,
        };
        let of_three = [(); 3].map(|()| helped(&work));
        assert_eq!(of_three, [Some(0), Some(1), Some(0)]);
        work.done(3);
        assert_eq!([helped(&work), helped(&work)], [Some(1), Some(1)]);
        work.done(7);
        assert_eq!(helped(&work), None);
    }
}
