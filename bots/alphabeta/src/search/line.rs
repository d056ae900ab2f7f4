//! The principal variation: each ply keeps the best line found below it.

use super::{Move, Search, SearchPosition};

impl<P: SearchPosition> Search<P> {
    /// No line is known from `ply` on.
    pub(super) fn clear_line(&mut self, ply: usize) {
        if ply >= self.lines.len() {
            self.lines.resize_with(ply + 1, Vec::new);
        }
        self.lines[ply].clear();
    }

    /// The best line from `ply` on is `played` and the best line after it.
    pub(super) fn extend_line(&mut self, ply: usize, played: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(played);
        if let Some(rest) = lower.first() {
            line.extend_from_slice(rest);
        }
    }
}
