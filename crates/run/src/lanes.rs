//! How many games are played at a time: as many as asked for, or as many as the system has room for.

/// Processes a worker keeps beside the two that play: a run of two hundred bots is not two hundred
/// processes a worker.
const KEPT: usize = 16;

/// Workers, and the processes of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// How many workers there are.
    pub count: usize,
    /// How many processes each keeps that do not play.
    pub(super) kept: usize,
}

impl Lanes {
    /// As many of the `wanted` as `room` processes are enough for, where `bots` take part; `None`:
    /// there is room for all.
    pub fn of(wanted: usize, bots: usize, room: Option<usize>) -> Lanes {
        let Some(room) = room else {
            let (count, kept) = (wanted, KEPT);
            return Lanes { count, kept };
        };
        // Two play; two more wait where others do, so that not every game starts a process.
        let count = wanted.min(room / bots.clamp(2, 4)).max(1);
        let kept = (room / count).saturating_sub(2).clamp(2, KEPT);
        Lanes { count, kept }
    }

    /// What is to be said where they are fewer than `wanted`.
    pub fn note(self, wanted: usize) -> Option<String> {
        (self.count < wanted).then(|| {
            format!(
                "{} at a time instead of {wanted}: the system lets the arena have no more files \
                 open; ulimit -n raises that",
                self.count
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_as_many_as_there_is_room_for() {
        for (wanted, bots, room, count, kept) in [
            (8, 2, None, 8, KEPT),
            (8, 2, Some(1000), 8, KEPT),
            (8, 2, Some(16), 8, 2),
            (8, 2, Some(7), 3, 2),
            (8, 20, Some(200), 8, KEPT),
            (8, 20, Some(40), 8, 3),
            (8, 20, Some(8), 2, 2),
            (8, 2, Some(2), 1, 2),
            (8, 2, Some(0), 1, 2),
        ] {
            let lanes = Lanes::of(wanted, bots, room);
            assert_eq!(lanes, Lanes { count, kept }, "{bots} bots, {room:?}");
            assert_eq!(lanes.note(wanted).is_some(), count < wanted);
        }
    }
}
