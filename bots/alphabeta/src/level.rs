//! Levels of strength, from a beginner's to the program's own.

use games::Game;

/// How strong a level plays: the same number in both games, by different means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    othello: Strength,
    gomoku: Strength,
}

/// What a level means in one game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Plies searched; `None`: as many as there is time for.
    pub depth: Option<u32>,
    /// Evaluation noise, a handicap: the standard deviation of the error with which moves are
    /// judged, in discs in Othello, in units of log-odds in Gomoku.
    pub noise: f64,
}

const fn strength(depth: u32, noise: f64) -> Strength {
    Strength {
        depth: Some(depth),
        noise,
    }
}

const STRONGEST: Strength = Strength {
    depth: None,
    noise: 0.0,
};

/// From 1 to 10.
const OTHELLO: [Strength; 10] = [
    strength(1, 16.0),
    strength(2, 9.0),
    strength(3, 6.0),
    strength(4, 4.0),
    strength(5, 2.5),
    strength(6, 1.2),
    strength(6, 0.0),
    strength(8, 0.0),
    strength(12, 0.0),
    STRONGEST,
];

/// From 1 to 10. A level that errs does not ask the solvers of threats either.
const GOMOKU: [Strength; 10] = [
    strength(1, 3.2),
    strength(1, 1.3),
    strength(2, 1.3),
    strength(2, 0.7),
    strength(3, 0.7),
    strength(4, 0.55),
    strength(4, 0.0),
    strength(6, 0.0),
    strength(8, 0.0),
    STRONGEST,
];

impl Level {
    /// 1 to 10, easy (2), medium (5) or hard (8).
    pub fn parse(text: &str) -> Option<Level> {
        let number = match text.to_ascii_lowercase().as_str() {
            "easy" => 2,
            "medium" => 5,
            "hard" => 8,
            text => text.parse::<usize>().ok()?,
        };
        let index = number.checked_sub(1)?;
        Some(Level {
            othello: *OTHELLO.get(index)?,
            gomoku: *GOMOKU.get(index)?,
        })
    }

    /// What it means in `game`.
    pub fn strength(self, game: Game) -> Strength {
        if game == Game::OTHELLO {
            self.othello
        } else {
            self.gomoku
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_numbers_and_names_and_rise() {
        for (name, number) in [("easy", "2"), ("medium", "5"), ("hard", "8"), ("Easy", "2")] {
            assert_eq!(Level::parse(name), Level::parse(number));
        }
        for nothing in ["0", "11", "-1", "brutal", ""] {
            assert_eq!(Level::parse(nothing), None, "{nothing}");
        }
        let stronger = |pair: &[Strength]| {
            let [low, high] = [pair[0], pair[1]];
            high.depth
                .is_none_or(|depth| depth >= low.depth.unwrap_or(61))
                && high.noise <= low.noise
                && high != low
        };
        for levels in [OTHELLO, GOMOKU] {
            assert!(levels.windows(2).all(stronger));
        }
    }
}
