//! Any bytes, in any pieces.

use proptest::prelude::*;

use super::*;

fn lines() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        Just("{\"move\":\"d3\"}".to_owned()),
        Just("{\"type\":\"info\",\"depth\":4,\"score\":2}".to_owned()),
        Just("{\"type\":\"ready\",\"name\":\"x\"}".to_owned()),
        Just("  \r".to_owned()),
        Just("\u{feff}".to_owned()),
        "[{}\"a-z:,0-9 ]{0,12}",
    ];
    let end = prop_oneof![Just(""), Just("\n")];
    (proptest::collection::vec(line, 0..6), end)
        .prop_map(|(lines, end)| (lines.join("\n") + end).into_bytes())
}

proptest! {
    #[test]
    fn what_a_bot_says_does_not_depend_on_how_its_bytes_arrive(
        bytes in lines(),
        cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..6),
        is_asked in any::<bool>(),
    ) {
        let start = Instant::now();
        let begin = || if is_asked { asked(start) } else { greeted(start) };
        let mut whole = begin();
        let expected = whole.on(Event::Output(&bytes), start);

        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        cuts.push(bytes.len());
        let (mut talk, mut from, mut step) = (begin(), 0, None);
        for cut in cuts {
            let next = talk.on(Event::Output(&bytes[from..cut]), start);
            from = cut;
            if !matches!(step, Some(Step::Ready { .. } | Step::Answer(_) | Step::Fault(_))) {
                step = Some(next);
            }
        }
        prop_assert_eq!(step, Some(expected));
        prop_assert_eq!(talk.unread(), whole.unread());
    }

    #[test]
    fn no_bytes_at_all_make_the_arena_fail(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let start = Instant::now();
        let _ = asked(start).on(Event::Output(&bytes), start);
        let _ = greeted(start).on(Event::Output(&bytes), start);
    }
}
