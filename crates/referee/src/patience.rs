//! Courses that forgive a slip: a player whose answer is illegal is asked again.

use std::time::Duration;

use games::{Board, Move, Rules};
use protocol::{Over, Start};

use super::{Answer, Player, Turn};
use crate::bot::{Allowance, Failure};
use crate::record::{Fault, excerpt};

/// A player that may answer illegally a number of times in one turn before the game is lost.
///
/// Every question of a turn counts against the same limit of time. An answer that is no message at
/// all, and every fault but an illegal move, ends the game at once as ever.
#[derive(Debug)]
pub struct Patience<'a, P: ?Sized> {
    player: &'a mut P,
    /// The illegal answer that loses; 1: the first.
    illegal_answers: u32,
    /// What was forgiven, a line each.
    pub forgiven: Vec<String>,
}

impl<'a, P: Player + ?Sized> Patience<'a, P> {
    /// `player` with `illegal_answers` in one turn until the game is lost, 1 or more.
    pub fn new(player: &'a mut P, illegal_answers: u32) -> Patience<'a, P> {
        Patience {
            player,
            illegal_answers,
            forgiven: Vec::new(),
        }
    }
}

impl<P: Player + ?Sized> Player for Patience<'_, P> {
    fn start(&mut self, start: &Start) -> Result<(), Failure> {
        self.player.start(start)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        if self.illegal_answers == 1 {
            return self.player.choose(turn);
        }
        let mut spent = Duration::ZERO;
        for asked in 1.. {
            let again = Turn {
                allowance: Allowance {
                    limit: turn
                        .allowance
                        .limit
                        .map(|limit| limit.saturating_sub(spent)),
                    ..turn.allowance
                },
                ..*turn
            };
            let answer = match self.player.choose(&again) {
                Ok(answer) => answer,
                Err(Failure::Fault(Fault::OutOfTime { used, .. })) => {
                    return Err(Failure::Fault(Fault::OutOfTime {
                        used: spent + used,
                        allowed: turn.allowance.limit.unwrap_or_default(),
                    }));
                }
                Err(failure) => return Err(failure),
            };
            spent += answer.used;
            let slip = slip(turn.board, &answer.played);
            let Some(why) = slip.filter(|_| asked < self.illegal_answers) else {
                return Ok(Answer {
                    used: spent,
                    ..answer
                });
            };
            self.forgiven.push(format!(
                "{} answered {:?} at ply {} ({why}) and was asked again",
                turn.board.side_to_move(),
                excerpt(answer.played.as_bytes()),
                turn.moves.len() + 1,
            ));
        }
        unreachable!("the last illegal answer is returned")
    }

    fn thinks(&self) -> bool {
        self.player.thinks()
    }

    fn pause(&mut self) {
        self.player.pause();
    }

    fn over(&mut self, over: &Over) {
        self.player.over(over);
    }

    fn cpu_time(&self) -> Option<Duration> {
        self.player.cpu_time()
    }
}

/// Why an answer is illegal, if it is.
fn slip(board: &Board, answer: &str) -> Option<String> {
    if answer == "resign" {
        return None;
    }
    match answer.parse::<Move>() {
        Err(error) => Some(error.to_string()),
        Ok(played) => board
            .clone()
            .play(played)
            .err()
            .map(|error| error.why.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game;

    /// Answers from a list, 30 ms each; remembers the time it was given.
    struct Script {
        answers: Vec<&'static str>,
        given: Vec<Duration>,
    }

    impl Player for Script {
        fn start(&mut self, _: &Start) -> Result<(), Failure> {
            Ok(())
        }

        fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
            self.given.push(turn.allowance.limit.expect("a limit"));
            Ok(Answer {
                played: self.answers.remove(0).to_owned(),
                used: Duration::from_millis(30),
                ..Answer::default()
            })
        }

        fn thinks(&self) -> bool {
            false
        }

        fn pause(&mut self) {}

        fn over(&mut self, _: &Over) {}

        fn cpu_time(&self) -> Option<Duration> {
            None
        }
    }

    /// What comes of these answers at the start of Othello: the answer that is judged, its time in
    /// ms, how often it was asked, how much was forgiven.
    fn asked(answers: &[&'static str], illegal_answers: u32) -> (String, u128, usize, usize) {
        let board = Game::OTHELLO.start();
        let mut script = Script {
            answers: answers.to_vec(),
            given: Vec::new(),
        };
        let mut player = Patience::new(&mut script, illegal_answers);
        let answer = player.choose(&Turn {
            board: &board,
            legal: &board.legal_squares(),
            moves: &[],
            allowance: Allowance {
                limit: Some(Duration::from_millis(100)),
                margin: Duration::ZERO,
            },
            left_ms: [100, 100],
        });
        let (answer, forgiven) = (answer.expect("an answer"), player.forgiven.len());
        let given: Vec<u128> = script.given.iter().map(Duration::as_millis).collect();
        assert!([100, 70, 40].starts_with(&given), "one limit: {given:?}");
        (
            answer.played,
            answer.used.as_millis(),
            given.len(),
            forgiven,
        )
    }

    #[test]
    fn the_third_illegal_answer_of_a_turn_is_judged() {
        for (answers, illegal_answers, expected) in [
            (&["d3"][..], 3, ("d3", 30, 1, 0)),
            (&["a1", "z99", "d3"], 3, ("d3", 90, 3, 2)),
            (&["a1", "a1", "a1"], 3, ("a1", 90, 3, 2)),
            (&["a1", "resign"], 3, ("resign", 60, 2, 1)),
            (&["a1"], 1, ("a1", 30, 1, 0)),
        ] {
            let (played, ms, times, forgiven) = asked(answers, illegal_answers);
            assert_eq!(
                (played.as_str(), ms, times, forgiven),
                expected,
                "{answers:?}"
            );
        }
    }
}
