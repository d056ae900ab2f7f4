use super::numbers::Score;

/// The scores strictly between `alpha`, which the side to move already has, and `beta`, which the opponent allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub alpha: Score,
    pub beta: Score,
}

impl Window {
    pub const FULL: Window = Window {
        alpha: -super::INFINITE,
        beta: super::INFINITE,
    };

    #[inline]
    pub const fn new(alpha: Score, beta: Score) -> Window {
        debug_assert!(alpha < beta, "a window needs alpha < beta");
        Window { alpha, beta }
    }

    /// Returns the zero window that decides only whether the score is more than `alpha`.
    #[inline]
    pub const fn zero(alpha: Score) -> Window {
        Window::new(alpha, alpha + 1)
    }

    /// Returns the window from `score − margin` to `score + margin`, within [`Window::FULL`].
    pub fn around(score: Score, margin: Score) -> Window {
        Window::new(
            (score - margin).max(Window::FULL.alpha),
            (score + margin).min(Window::FULL.beta),
        )
    }

    #[inline]
    #[must_use]
    pub const fn flipped(self) -> Window {
        Window::new(-self.beta, -self.alpha)
    }

    /// Returns the zero window at the lower end, from the opponent's point of view.
    #[inline]
    #[must_use]
    pub const fn scout(self) -> Window {
        Window::zero(-self.alpha - 1)
    }

    /// Returns a better estimate of the score, from the estimate `believed` and the result `found` in this window.
    pub fn narrowed(self, believed: Score, found: Score) -> Score {
        if self.fail_high(found) {
            believed.max(found)
        } else if self.fail_low(found) {
            believed.min(found)
        } else {
            found
        }
    }

    /// Returns whether no score is inside the window, so that no result can be exact.
    #[inline]
    pub const fn is_zero(self) -> bool {
        self.alpha + 1 == self.beta
    }

    /// Returns whether `score` is at most alpha, and so an upper bound.
    #[inline]
    pub const fn fail_low(self, score: Score) -> bool {
        score <= self.alpha
    }

    /// Returns whether `score` is at least beta, and so a lower bound.
    #[inline]
    pub const fn fail_high(self, score: Score) -> bool {
        score >= self.beta
    }

    #[inline]
    #[must_use]
    pub const fn raised(self, score: Score) -> Window {
        if score > self.alpha {
            Window {
                alpha: score,
                ..self
            }
        } else {
            self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flipping_twice_is_the_identity_and_the_scout_is_the_flipped_lower_end() {
        let window = Window::new(-30, 70);
        assert_eq!(window.flipped(), Window::new(-70, 30));
        assert_eq!(window.flipped().flipped(), window);
        assert_eq!(window.scout(), Window::zero(-30).flipped());
        assert!(window.scout().is_zero() && !window.is_zero());
    }

    #[test]
    fn scores_on_the_edge_are_outside() {
        let window = Window::new(0, 10);
        for (score, low, high) in [(0, true, false), (1, false, false), (10, false, true)] {
            assert_eq!(window.fail_low(score), low, "{score}");
            assert_eq!(window.fail_high(score), high, "{score}");
        }
        assert_eq!(window.raised(5), Window::new(5, 10));
        assert_eq!(window.raised(-5), window);
    }

    #[test]
    fn a_bound_corrects_a_belief_and_a_score_replaces_it() {
        let window = Window::new(-10, 10);
        for (believed, found, now) in [
            (40, 10, 40),
            (-40, 10, 10),
            (40, -12, -12),
            (-40, -10, -40),
            (40, 3, 3),
        ] {
            assert_eq!(window.narrowed(believed, found), now, "{believed} {found}");
        }
    }
}
