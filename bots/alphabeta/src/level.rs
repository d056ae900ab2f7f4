//! Levels of strength, from a beginner's to the program's own.

/// How strong a level plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Plies searched; `None`: as many as there is time for.
    pub depth: Option<u32>,
    /// Othello: the standard deviation of the error with which moves are judged, in discs.
    pub misjudged: f64,
}

const fn level(depth: u32, misjudged: f64) -> Level {
    Level {
        depth: Some(depth),
        misjudged,
    }
}

/// From 1 to 10.
const LEVELS: [Level; 10] = [
    level(1, 16.0),
    level(2, 9.0),
    level(3, 6.0),
    level(4, 4.0),
    level(5, 2.5),
    level(6, 1.2),
    level(6, 0.0),
    level(8, 0.0),
    level(12, 0.0),
    Level {
        depth: None,
        misjudged: 0.0,
    },
];

impl Level {
    /// 1 to 10, easy (2), medium (5) or hard (8).
    pub fn parse(text: &str) -> Option<Level> {
        let number = match text {
            "easy" => 2,
            "medium" => 5,
            "hard" => 8,
            text => text.parse::<usize>().ok()?,
        };
        LEVELS.get(number.checked_sub(1)?).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_have_numbers_and_names_and_rise() {
        for (name, number) in [("easy", "2"), ("medium", "5"), ("hard", "8")] {
            assert_eq!(Level::parse(name), Level::parse(number));
        }
        for nothing in ["0", "11", "-1", "brutal", ""] {
            assert_eq!(Level::parse(nothing), None, "{nothing}");
        }
        let stronger = |pair: &[Level]| {
            let [low, high] = [pair[0], pair[1]];
            high.depth
                .is_none_or(|depth| depth >= low.depth.unwrap_or(61))
                && high.misjudged <= low.misjudged
                && high != low
        };
        assert!(LEVELS.windows(2).all(stronger));
    }
}
