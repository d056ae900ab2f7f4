//! The size of pages, their policy, and texts that try to leave their place.

use std::fs;
use std::time::Duration;

use games::{Game, Move, Rules, Side};
use sha2::{Digest, Sha256};

use super::*;
use referee::record::{Effort, Fault as BotFault, GameId, Ply, Thought};

/// Numbers that look random; the same in every run of the test.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        self.0 >> 33
    }
}

/// A whole game of Othello between bots that tell depth, score, nodes and a line of eight moves.
fn game(id: u64, numbers: &mut Numbers) -> GameRecord {
    let mut board = Game::OTHELLO.start();
    let mut plies = Vec::new();
    while board.ending().is_none() {
        let legal = board.legal_moves();
        let played = legal[numbers.next() as usize % legal.len()];
        let wall = Duration::from_micros(1 + numbers.next() % 200_000);
        let pv: Vec<Move> = (0..8).map(|step| legal[step % legal.len()]).collect();
        board.play(played).expect("it is legal");
        plies.push(Ply {
            played,
            effort: Some(Effort {
                wall,
                cpu: Some(wall),
            }),
            thought: Thought {
                depth: Some(4 + (numbers.next() % 12) as u32),
                score: Some((numbers.next() % 6400) as f64 / 100.0 - 32.0),
                nodes: Some(numbers.next() % 1_000_000),
                pv,
                ..Thought::default()
            },
        });
    }
    let verdict = Verdict::Rules {
        winner: board.ending().and_then(|ending| ending.winner),
        reason: games::Reason::DISCS,
    };
    GameRecord {
        plies,
        counts: board.counts(),
        ..GameRecord::new(GameId(id), Game::OTHELLO, ["one", "two"], verdict)
    }
}

fn written(folder: &Path, records: impl Iterator<Item = GameRecord>) -> String {
    let bots = ["one", "two"].map(str::to_owned);
    let mut page = Page::new(folder, &bots);
    let mut standings = Standings::new(["one", "two"]);
    for record in records {
        standings.add(&record);
        page.add(&record, &standings).expect("a folder to write in");
    }
    let about = About {
        title: "</title><script>hacked=1</script>\u{202e}".to_owned(),
        ..About::default()
    };
    page.end(&standings, &about).expect("a folder to write in");
    fs::read_to_string(folder.join(NAME)).expect("the page")
}

/// The limit is the issue's: a report of a thousand games has at most 2 MB.
#[test]
fn a_thousand_games_fit_and_more_are_split_off() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut numbers = Numbers(1);
    let thousand: Vec<GameRecord> = (0..1000).map(|id| game(id, &mut numbers)).collect();
    let page = written(folder.path(), thousand.iter().cloned());
    let parts = || {
        let folder = folder.path().join(FOLDER);
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        let sizes = files.map(|file| file.metadata().expect("a file").len());
        sizes.collect::<Vec<_>>()
    };
    assert!(page.len() <= 2_000_000, "{} bytes", page.len());
    // Such games may need two files; what is short does not.
    assert!(
        parts().iter().all(|&size| size <= 2_000_000),
        "{:?}",
        parts()
    );
    let again = thousand.iter().cycle().take(2300).enumerate();
    let more = again.map(|(id, record)| GameRecord {
        id: GameId(id as u64),
        ..record.clone()
    });
    let page = written(folder.path(), more);
    assert!(page.contains("This run has 2300 games."), "it says so");
    assert!(
        parts().len() >= 3 && parts().iter().all(|&size| size <= 2_000_000),
        "{:?}",
        parts()
    );
    let page = written(folder.path(), thousand.into_iter().take(10));
    assert!(parts().is_empty(), "old parts are gone");
    assert!(page.contains("Choose a game."));
}

#[test]
fn the_policy_allows_this_script_and_style_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut numbers = Numbers(2);
    let fault = BotFault::IllegalMove {
        played: "</td><script>hacked=1</script>\u{1b}[31m".to_owned(),
        why: "it is no square".to_owned(),
    };
    let forfeit = GameRecord {
        verdict: Verdict::Forfeit {
            by: Side::White,
            fault,
        },
        warnings: vec!["</script><script>hacked=2</script>".to_owned()],
        ..game(0, &mut numbers)
    };
    let page = written(folder.path(), [forfeit].into_iter());
    let between = |from: &str, to: &str| {
        let (_, rest) = page.split_once(from).expect(from);
        rest.split_once(to).expect(to).0
    };
    let policy = between("Content-Security-Policy\" content=\"", "\">").replace("&#39;", "'");
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    let hash = |text: &str| {
        use base64::Engine as _;
        base64::prelude::BASE64_STANDARD.encode(Sha256::digest(text))
    };
    let style = hash(between("<style>", "</style>"));
    assert!(
        policy.contains(&format!("style-src 'sha256-{style}'")),
        "{policy}"
    );
    let script = hash(between("<script>", "</script>"));
    assert!(
        policy.contains(&format!("script-src 'sha256-{script}'")),
        "{policy}"
    );
    assert_eq!(
        page.matches("<script>").count(),
        1,
        "no text has become an element"
    );
    assert!(!page.contains(['\u{1b}', '\u{202e}']));
    assert!(!page.contains(" style=\""), "the policy would refuse it");
}
