use message::Message;
use referee::problem;
use std::collections::HashSet;

use clap::Args;
use games::gomoku::Rule;
use games::{Board, Game, Move, Rules, Scoring, Square, canonical_hash, format_transcript};
use indicatif::ProgressBar;
use protocol::{Bot, Info, Question, Start};

use super::options::BoardOptions;
use super::{CliError, print};
use tournament::{Draw, Problem};

/// Make balanced openings: random moves after which alphabeta sees no advantage for either side
///
/// Prints one transcript per line: the most balanced of those tried, all different under the symmetries of the board,
/// and none with a forced win that the search sees. The same options give the same openings on every machine.
#[derive(Debug, Args)]
pub struct Openings {
    /// othello or gomoku
    game: String,
    #[command(flatten)]
    board: BoardOptions,
    /// Number of openings
    #[arg(long, short = 'n', value_name = "N", default_value_t = 100,
        value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Moves in each [default: 8 for othello, 5 for gomoku]
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u8).range(1..=40))]
    plies: Option<u8>,
    /// Positions tried for each opening
    #[arg(long, value_name = "N", default_value_t = 10,
        value_parser = clap::value_parser!(u32).range(1..))]
    tries: u32,
    /// Search depth of alphabeta in plies
    #[arg(long, value_name = "PLIES", default_value_t = 10)]
    depth: u32,
    /// Seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

struct Candidate {
    moves: Vec<Move>,
    score: f64,
}

impl Openings {
    pub fn run(self) -> Result<(), CliError> {
        let game = self.board.game(&self.game)?;
        let plies = self
            .plies
            .unwrap_or(if game == Game::OTHELLO { 8 } else { 5 });
        let mut openings = self.candidates(game, plies)?;
        let found = openings.len();
        if found < self.count as usize {
            return Err(problem!(
                "{} tries gave only {found} distinct openings without a forced win",
                self.most_tries()
            )
            .help("allow more plies or more tries")
            .into());
        }
        openings.truncate(self.count as usize);
        let mut text = self.head(game, plies, found, &openings);
        for Candidate { moves, score } in &openings {
            text += &format!("{} # {score:+}\n", format_transcript(moves));
        }
        print(&text)
    }

    fn most_tries(&self) -> u64 {
        u64::from(self.count) * u64::from(self.tries)
    }

    fn head(&self, game: Game, plies: u8, found: usize, openings: &[Candidate]) -> String {
        let worst = openings
            .last()
            .map_or(0.0, |candidate| candidate.score.abs());
        let unit = match game.scoring() {
            Scoring::Discs => " discs",
            Scoring::Win => ", of which 256 are one unit of log-odds",
        };
        format!(
            "# {game}: {} openings of {plies} plies, the most balanced of {found} positions. The number is what\n\
             # alphabeta sees at depth {} for the side to move: at most {worst}{unit}. Made with\n\
             # arena openings {} --size {} --rules {} --count {} --plies {plies} --tries {} --depth {} --seed {}\n",
            self.count,
            self.depth,
            game.name(),
            game.size(),
            game.rules(),
            self.count,
            self.tries,
            self.depth,
            self.seed,
        )
    }

    /// Returns distinct positions without a forced win, most balanced first.
    fn candidates(&self, game: Game, plies: u8) -> Result<Vec<Candidate>, CliError> {
        // Each search begins with an empty table. Clearing a large table would take longer than the search.
        let options = alphabeta::Options {
            depth: Some(self.depth),
            hash_mib: Some(4),
            ..Default::default()
        };
        let mut judge = alphabeta::bot(&options).map_err(Problem::new)?;
        let mut draw = Draw::new(self.seed, 0);
        let mut seen = HashSet::new();
        let mut candidates = Vec::new();
        let bar = ProgressBar::new(self.most_tries());
        for _ in 0..self.most_tries() {
            bar.inc(1);
            let Some((moves, board)) = random_position(game, plies, &mut draw) else {
                continue;
            };
            if seen.insert(canonical_hash(&board))
                && let Some(score) = judged(&mut *judge, game, &board, &moves)
                    .map_err(|why| Problem::new(Message::quote(why)))?
            {
                candidates.push(Candidate { moves, score });
            }
        }
        bar.finish_and_clear();
        candidates.sort_by(|one, other| one.score.abs().total_cmp(&other.score.abs()));
        Ok(candidates)
    }
}

/// Returns `plies` plausible random moves and the position after them; `None` if the game is over or a pass comes next.
fn random_position(game: Game, plies: u8, draw: &mut Draw) -> Option<(Vec<Move>, Board)> {
    let mut board = game.start();
    let mut moves = Vec::new();
    while moves.len() < usize::from(plies) {
        let choice = if board.must_pass() {
            vec![Move::Pass]
        } else {
            near(&board).into_iter().map(Move::Place).collect()
        };
        if choice.is_empty() {
            return None;
        }
        let played = choice[draw.below(choice.len() as u64) as usize];
        board.play(played).ok()?;
        moves.push(played);
    }
    (board.ending().is_none() && !board.must_pass()).then_some((moves, board))
}

/// Returns the legal squares. In Gomoku, only those near the centre and, after the first move, near a stone.
fn near(board: &Board) -> Vec<Square> {
    let legal = board.legal_squares();
    if Rule::of(board.game()).is_none() {
        return legal;
    }
    let size = board.size();
    let stones: Vec<Square> = (0..usize::from(size) * usize::from(size))
        .map(|index| Square::from_index(index, size))
        .filter(|&square| board.at(square).is_some())
        .collect();
    let distance = |one: Square, other: Square| {
        one.column()
            .abs_diff(other.column())
            .max(one.row().abs_diff(other.row()))
    };
    let centre = Square::new(size / 2, size / 2);
    let is_near = |square: &Square| {
        distance(*square, centre) <= 3
            && (stones.is_empty() || stones.iter().any(|&stone| distance(*square, stone) <= 2))
    };
    legal.into_iter().filter(is_near).collect()
}

/// Returns the bot's score for the side to move; `None` if there is no score, as for an only move, or if the bot sees
/// a forced win of either side in Gomoku.
fn judged(
    judge: &mut dyn Bot,
    game: Game,
    board: &Board,
    moves: &[Move],
) -> Result<Option<f64>, String> {
    judge.start(&Start {
        game,
        you: board.side_to_move(),
        move_time: None,
        game_time: None,
        period_moves: None,
        increment: std::time::Duration::ZERO,
        memory_mib: None,
        seed: 0,
    })?;
    let question = Question {
        board: board.clone(),
        moves: moves.to_vec(),
        left: None,
        opponent_left: None,
        moves_to_go: None,
        // The depth ends the search, so the clock does not matter.
        asked_at: std::time::Instant::now(),
    };
    let mut score = None;
    judge.choose(&question, &mut |info: &Info| score = info.score.or(score));
    let is_open =
        |score: &f64| game == Game::OTHELLO || score.abs() < f64::from(alphabeta::gomoku::PROVEN);
    Ok(score.filter(is_open))
}
