//! Decisions under an opening rule.
//!
//! For swap and swap2 on 15×15, the bot begins with one of a list of even openings. In other cases, if the opponent
//! chooses a colour next, the bot puts a stone where its search finds the position most even. When the bot chooses
//! between two colours, it takes the one with the better score, so it never puts two more stones (swap2), and never
//! offers ten fifth moves (taraguchi-10). Openings depend on the seed.

use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Instant;

use games::gomoku::{Choice, GomokuBoard, Opening, OpeningRule, Rule, Step};
use games::{Game, Move, Rules, Side, Square, Symmetry};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::board::SearchBoard;
use super::evaluation::PROVEN;
use super::position::{DEEPEST, GomokuPosition};
use crate::options::Evaluation;
use crate::search::{Budget, Score, Search, TranspositionTable};

/// The most candidates to compare. A small budget allows one for each [`NODES_EACH`] nodes, but at least four.
const MOST: u64 = 12;
const NODES_EACH: u64 = 250;
/// First stones that are not from [`OFFERS`] lie at most this far from the centre.
const NEAR: u8 = 3;

/// For swap and swap2 on 15×15: even openings of three stones, made by
/// `arena openings gomoku --size 15 --rules RULE --count 24 --plies 3 --tries 12 --depth 15`.
/// Only openings with a score from -77 to 77 engine units (0.3 displayed units) are listed.
const OFFERS: &str = include_str!("offers.txt");

pub(super) struct Opener<'a> {
    pub evaluation: Evaluation,
    pub table: &'a Arc<TranspositionTable>,
    pub budget: Budget,
    pub seed: u64,
}

impl Opener<'_> {
    /// Returns the decision; `None` if the decision is simply to play the best move of the next stone's colour.
    pub fn choose(&self, rules: &GomokuBoard, opening: &Opening) -> Option<Move> {
        let board = rules.without_opening();
        let legal = rules.legal_squares();
        let square = match (opening.step(), opening.steps().get(1)) {
            (Step::Choose(decider, choices), _) => {
                return Some(Move::Choose(self.word(&board, decider, choices)));
            }
            (Step::Place(..), Some(Step::Place(..))) => self.first_stones(rules, &legal, opening),
            (Step::Place(..), Some(Step::Choose(_, choices)))
                if choices.contains(&Choice::Swap) =>
            {
                let even = |score: Score| -score.abs();
                if let Some(&last) = offers(rules, opening).first() {
                    return Some(Move::Place(last));
                }
                let squares = candidates(&board, legal, even, self.width());
                self.compare(&board, squares, even)
            }
            (Step::Place(..), _) => return None,
            (Step::Offer, _) => {
                let squares = candidates(&board, legal, |score| score, self.width());
                self.compare(&board, squares, |score| score)
            }
            // White chooses the fifth move that is worst for black.
            (Step::Pick, _) => self.compare(&board, legal, |score| -score),
        };
        Some(Move::Place(square))
    }

    fn word(&self, board: &GomokuBoard, decider: Side, choices: &[Choice]) -> Choice {
        if !choices.contains(&Choice::Stay) {
            return self.number(board, choices);
        }
        let score = self.value(board, self.budget);
        let own = if decider == board.next_stone() {
            score
        } else {
            -score
        };
        if own < 0 { Choice::Swap } else { Choice::Stay }
    }

    /// Returns how many fifth moves to offer. White picks the worst one for black, so all should be nearly even.
    fn number(&self, board: &GomokuBoard, choices: &[Choice]) -> Choice {
        let squares = candidates(board, board.legal_squares(), |score| score, choices.len());
        let share = self.share(squares.len());
        let mut scores: Vec<Score> = squares
            .into_iter()
            .map(|square| -self.value(&after(board, square), share))
            .collect();
        scores.sort_by_key(|&score| Reverse(score));
        let numbered = choices.iter().zip(scores);
        let best = numbered.min_by_key(|(_, score)| score.abs());
        best.map_or(choices[0], |(choice, _)| *choice)
    }

    fn width(&self) -> usize {
        let most = self.budget.nodes.map_or(MOST, |nodes| nodes / NODES_EACH);
        most.clamp(4, MOST) as usize
    }

    /// Returns the next stone of a random opening of [`OFFERS`], turned or mirrored; if none fits, a central square.
    fn first_stones(&self, rules: &GomokuBoard, legal: &[Square], opening: &Opening) -> Square {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(opening.so_far().len() as u64);
        let mut one_of = |squares: &[Square]| {
            let number = random.next_u64() % squares.len().max(1) as u64;
            squares.get(number as usize).copied()
        };
        let centre = rules.size() / 2;
        let is_near = |square: &&Square| {
            square.column().abs_diff(centre) <= NEAR && square.row().abs_diff(centre) <= NEAR
        };
        let near: Vec<Square> = legal.iter().filter(is_near).copied().collect();
        let offered = one_of(&offers(rules, opening)).or_else(|| one_of(&near));
        offered.unwrap_or(legal[0])
    }

    /// Returns the square with the highest `worth`. Each round searches the remaining squares and keeps the best half.
    fn compare(
        &self,
        board: &GomokuBoard,
        mut squares: Vec<Square>,
        worth: impl Fn(Score) -> Score,
    ) -> Square {
        while squares.len() > 1 {
            let share = self.share(squares.len());
            squares.sort_by_cached_key(|&square| {
                Reverse(worth(-self.value(&after(board, square), share)))
            });
            squares.truncate(squares.len().div_ceil(2));
        }
        squares[0]
    }

    /// Returns the budget of one search in a round that searches `squares` squares. All rounds have the same effort.
    fn share(&self, squares: usize) -> Budget {
        let rounds = |squares: usize| squares.max(2).next_power_of_two().ilog2();
        let searches = rounds(squares) * squares as u32;
        let until = self
            .budget
            .left()
            .map(|left| Instant::now() + left / searches);
        let of_nodes =
            |nodes: u64| (nodes / u64::from(rounds(self.width())) / squares as u64).max(1);
        Budget {
            nodes: self.budget.nodes.map(of_nodes),
            soft: until,
            hard: until,
            ..self.budget
        }
    }

    fn value(&self, board: &GomokuBoard, budget: Budget) -> Score {
        let board = SearchBoard::from_rules(board);
        let position = GomokuPosition::with_evaluation(self.evaluation, board);
        let mut search = Search::new(position, Arc::clone(self.table));
        let budget = Budget {
            decided: Some(PROVEN),
            ..budget
        };
        search.deepen(budget, DEEPEST, &mut |_| ()).score
    }
}

/// Returns the squares with the highest `worth` by the evaluation alone. Scores are for the side that puts the stone.
fn candidates(
    board: &GomokuBoard,
    mut legal: Vec<Square>,
    worth: impl Fn(Score) -> Score,
    most: usize,
) -> Vec<Square> {
    legal.sort_by_cached_key(|&square| {
        let mut after = SearchBoard::from_rules(&after(board, square));
        Reverse(worth(-after.evaluate()))
    });
    legal.truncate(most);
    legal
}

fn offers(rules: &GomokuBoard, opening: &Opening) -> Vec<Square> {
    let is_free = matches!(opening.rule(), OpeningRule::Swap | OpeningRule::Swap2);
    if !is_free || rules.size() != 15 || opening.so_far().len() > 2 {
        return Vec::new();
    }
    // Caro has no list of its own.
    let rule = match rules.rule() {
        Rule::Caro => Rule::Freestyle,
        rule => rule,
    };
    let lines = OFFERS
        .lines()
        .filter_map(|line| line.strip_prefix(rule.name()));
    let offers = lines.flat_map(str::split_whitespace).map(|offer| {
        let (stones, _) =
            games::parse_transcript(Game::gomoku(15, rule), offer).expect("three stones");
        stones
    });
    let turned = offers.flat_map(|stones| {
        Symmetry::ALL.map(|symmetry| {
            let turned = stones
                .iter()
                .map(|&stone| symmetry.apply_to_move(stone, 15));
            turned.collect::<Vec<Move>>()
        })
    });
    let begun = turned.filter(|stones| stones.starts_with(opening.so_far()));
    begun
        .filter_map(|stones| stones[opening.so_far().len()].square())
        .collect()
}

/// Returns the position after the next stone. Does not check for a five, because an opening has too few stones for one.
fn after(board: &GomokuBoard, square: Square) -> GomokuBoard {
    let mover = board.next_stone();
    let mut after = board.clone().with_side_to_move(!mover);
    after.set(square, Some(mover));
    after
}

#[cfg(test)]
mod tests {
    use protocol::{Bot, Question, Start};

    use super::*;

    fn bot() -> (Box<dyn Bot>, Game) {
        let options = crate::Options {
            depth: Some(4),
            ..Default::default()
        };
        let game = Game::gomoku(15, Rule::Standard).with_opening(Some("swap2"));
        (
            crate::bot(&options).expect("options"),
            game.expect("a rule"),
        )
    }

    fn answer(bot: &mut dyn Bot, game: Game, so_far: &str) -> Move {
        let (_, board) = games::parse_transcript(game, so_far).expect("legal");
        bot.start(&Start::untimed(game, board.side_to_move()))
            .expect("it plays");
        bot.choose(&Question::untimed(board, &[], Instant::now()), &mut |_| ())
    }

    /// One colour has its stones in the middle, the other in the corners.
    #[test]
    fn the_better_colour_is_taken() {
        let (mut bot, game) = bot();
        for (so_far, expected) in [
            ("h8a1h9", Choice::Swap),
            ("a1h8o15", Choice::Stay),
            ("h8a1h9 two-more o1i7", Choice::Stay),
        ] {
            let chosen = answer(&mut *bot, game, so_far);
            assert_eq!(chosen, Move::Choose(expected), "{so_far}");
        }
    }

    #[test]
    fn three_stones_of_the_list_are_put() {
        let (mut bot, game) = bot();
        let mut so_far = String::new();
        for _ in 0..3 {
            let (_, board) = games::parse_transcript(game, &so_far).expect("legal");
            let games::Board::Gomoku(rules) = &board else {
                unreachable!("it is Gomoku");
            };
            let expected = offers(rules, rules.opening().expect("it goes on"));
            let played = answer(&mut *bot, game, &so_far);
            let square = played.square().expect("a square");
            assert!(expected.contains(&square), "{square} after {so_far}");
            so_far += &square.to_string();
        }
    }
}
