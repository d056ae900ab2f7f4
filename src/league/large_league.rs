//! Measures a large league: `cargo test --release --lib -- --ignored --nocapture a_million_games`.

use std::time::Instant;

use stats::{Pentanomial, Score, Wdl};
use toml::Spanned;
use tournament::{BotFile, Draw, TournamentFile, given};

use super::database::League;
use super::results::{CountedGame, PairResult};

const VERSIONS: i64 = 1000;
const ROUNDS: u64 = 100;
const PAIRS: u64 = 5000;

fn file() -> TournamentFile {
    let anchor = |(name, rating): (&str, f64)| {
        let bot = BotFile::from_word(name).expect("a name");
        Spanned::new(
            0..0,
            BotFile {
                rating: given(Some(rating)),
                ..bot
            },
        )
    };
    TournamentFile {
        game: given(Some(games::names()[0].to_owned())),
        bot: [("random", 29.0), ("greedy", 119.0), ("mobility", 438.0)]
            .map(anchor)
            .to_vec(),
        ..TournamentFile::default()
    }
}

/// Returns a round of random pairs. The chance that version n beats version m grows with n − m.
fn results(round: u64) -> (Vec<CountedGame>, Vec<PairResult>) {
    let mut draw = Draw::new(1, round);
    let (mut games, mut results) = (Vec::new(), Vec::new());
    for pair in 0..PAIRS {
        let one = 1 + draw.below(VERSIONS as u64) as i64;
        let other = 1 + (one + draw.below(VERSIONS as u64 - 1) as i64) % VERSIONS;
        let (mut score, mut pairs) = (Score::default(), Pentanomial::default());
        let chance = 1.0 / (1.0 + (-(one - other) as f64 / 200.0).exp());
        let played = [0, 1].map(|leg| {
            let wins = draw.bits() as f64 / 2f64.powi(64) < chance;
            games.push(CountedGame {
                number: 2 * pair + leg,
                versions: [one, other],
                result: if wins { "black" } else { "white" }.to_owned(),
                faults: [None, None],
            });
            if wins { Wdl::Win } else { Wdl::Loss }
        });
        for game in played {
            score.add(game);
        }
        pairs.add(played[0], played[1]);
        results.push(PairResult {
            versions: [one, other],
            score,
            pairs,
        });
    }
    (games, results)
}

#[test]
fn faults_are_counted_in_the_last_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut league = League::create(&folder.path().join("new"), &file(), false).expect("a league");
    // Ten rounds of three games; the version with number 2 is at fault in the last four rounds.
    for round in 1..=10 {
        league.plan(vec![[1, 2]]).expect("a plan");
        let games = [[1, 2], [2, 1], [3, 1]].into_iter().enumerate();
        let game = |(number, versions): (usize, [i64; 2])| CountedGame {
            number: number as u64,
            versions,
            result: "white".to_owned(),
            faults: versions.map(|id| (id == 2 && round > 6).then(|| "crashed".into())),
        };
        let games: Vec<CountedGame> = games.map(game).collect();
        league.count(round, &games, &[]).expect("it counts");
    }
    let faults = [1, 2, 3, 9].map(|id| league.last_faults(id).expect("games"));
    assert_eq!(faults, [(20, 0), (20, 8), (10, 0), (0, 0)]);
}

#[test]
#[ignore = "it measures"]
fn a_million_games() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = file();
    let mut league = League::create(&folder.path().join("big"), &file, false).expect("a league");
    let owner = league.owner("ada").expect("an owner");
    let add = "INSERT INTO version (owner, bot, number, file, sha256, bytes, handed_in, state)
        VALUES (?1, ?2, 1, '', '', 0, 0, 'ready')";
    let bots = |tables: &rusqlite::Transaction<'_>| {
        (3..VERSIONS).try_for_each(|bot| {
            tables
                .execute(add, (owner.id, format!("bot{bot}")))
                .map(drop)
        })
    };
    league.write(bots).expect("versions");
    for number in 1..=ROUNDS {
        let round = league.plan(vec![[1, 2]]).expect("a plan");
        assert_eq!(round.number, number);
        let (games, results) = results(number);
        league.count(number, &games, &results).expect("it counts");
    }
    let took =
        |what: &str, since: Instant| println!("{what}: {:.2} s", since.elapsed().as_secs_f64());
    let since = Instant::now();
    league.rate(ROUNDS, &file).expect("ratings");
    took("ratings", since);
    let since = Instant::now();
    let round = league
        .plan_round(&file, 500)
        .expect("a plan")
        .expect("a round");
    took("next round, with its ratings", since);
    assert_eq!(round.pairings.len(), 500);
    let since = Instant::now();
    let table = league.table().expect("a table");
    took("table", since);
    assert_eq!(
        (table.rows.len(), table.games),
        (VERSIONS as usize, 2 * ROUNDS * PAIRS)
    );
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    println!(
        "{}",
        status
            .lines()
            .find(|line| line.starts_with("VmHWM"))
            .unwrap_or_default()
    );
}
