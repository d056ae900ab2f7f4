//! Compares the functions with the figures of `figures.txt`, which were computed outside this project.
//!
//! A row is a kind with its arguments, `=`, and the figures, each correct to its last digit. `-` stands for a figure
//! that is not checked and `none` for a missing result; `!` begins the message of an error, and `#` a comment.
//!
//! | Kind | Arguments | Figures |
//! |---|---|---|
//! | `score` | wins, draws, losses | games, half points, points, rate, rate of draws |
//! | `reach` | wins, draws, losses, threshold, further games | the probability |
//! | `certain` | LL, LD, WL, WD, WW, threshold, level | `yes`, `no`, `none` |
//! | `precision` | wanted half-width, LL, LD, WL, WD, WW | Elo, error |
//! | `decided` | wins, draws, losses, threshold, games | `yes`, `no`, `none` |
//! | `wilson` | wins, draws, losses | both ends |
//! | `moments-games`, `moments-pairs` | counts | number, mean, variance |
//! | `mean` | values | mean, error |
//! | `games`, `pairs` | counts | Elo, error, normalised Elo, error, likelihood of superiority in per cent |
//! | `ratio-games`, `ratio-pairs` | model, elo0, elo1, counts | log-likelihood ratio |
//! | `bounds` | elo0, elo1, alpha, beta | lower, upper |
//! | `rated` | number of players, then two players, wins, draws, losses of each pairing | each player's rating, error |
//! | `strengths` | as `rated` | without the prior, each player's strength in nats above the last player, error in Elo |

use stats::{
    Elo, Mean, Meeting, Model, Moments, Pentanomial, Precision, Ratings, Sample, Score, Sprt,
    Strength, Z_95, certain, decided, reach, wilson,
};

type Figures = Result<Vec<Option<f64>>, String>;

#[test]
fn figures_are_those_of_others() {
    let mut wrong = String::new();
    for (number, line) in (1..).zip(include_str!("figures.txt").lines()) {
        let row = line.split('#').next().expect("a part").trim();
        if row.is_empty() {
            continue;
        }
        let (call, expected) = row.split_once('=').expect("a row");
        let found = found(call);
        let is_right = match (&found, expected.trim().strip_prefix("! ")) {
            (Err(found), Some(expected)) => found == expected,
            (Ok(found), None) => {
                let expected: Vec<&str> = expected.split_whitespace().collect();
                let mut both = found.iter().zip(&expected);
                found.len() == expected.len() && both.all(|(&found, figure)| is(found, figure))
            }
            _ => false,
        };
        if !is_right {
            wrong += &format!("figures.txt:{number}: {row}: got {found:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns true if both agree to the last digit of the figure.
fn is(found: Option<f64>, figure: &str) -> bool {
    match (figure, found) {
        ("-", _) | ("none", None) | ("yes", Some(1.0)) | ("no", Some(0.0)) => true,
        ("none" | "yes" | "no", _) | (_, None) => false,
        (_, Some(found)) => {
            let digits = figure.split_once('.').map_or(0, |(_, digits)| digits.len());
            let expected: f64 = figure.parse().expect("a number");
            (found - expected).abs() <= 0.500_000_1 * 10f64.powi(-(digits as i32))
        }
    }
}

fn found(call: &str) -> Figures {
    let words: Vec<&str> = call.split_whitespace().collect();
    let numbers: Vec<f64> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let whole = |from: usize| -> Vec<u64> { numbers[from..].iter().map(|&n| n as u64).collect() };
    let score = |from: usize| games(&whole(from)[..3]);
    let pairs = |from: usize| -> Pentanomial {
        let counts: [u64; 6] = whole(from).try_into().expect("six counts");
        counts.into()
    };
    let sprt = |alpha, beta| {
        let is_logistic = words[1] != "normalised";
        let model = if is_logistic {
            Model::Logistic
        } else {
            Model::Normalised
        };
        Sprt::new(numbers[0], numbers[1], alpha, beta, model).map_err(|bad| bad.to_string())
    };
    let answer = |decision: Option<bool>| vec![decision.map(|yes| f64::from(u8::from(yes)))];
    Ok(match words[0] {
        "score" => {
            let score = score(0);
            let whole = [score.games(), score.half_points()].map(|number| number as f64);
            let rates = [score.points(), score.rate(), score.draw_rate()];
            whole.into_iter().chain(rates).map(Some).collect()
        }
        "reach" => vec![Some(reach(&score(0), numbers[3], numbers[4] as u64))],
        "certain" => {
            let [ll, ld, wl, wd, ww] = whole(0)[..5] else {
                unreachable!("five counts")
            };
            let pairs = Pentanomial::from([ll, ld, wl, 0, wd, ww]);
            answer(certain(&pairs, numbers[5], numbers[6]))
        }
        "precision" => {
            let [ll, ld, wl, wd, ww] = whole(1)[..5] else {
                unreachable!("five counts")
            };
            let wish = Precision::new(numbers[0]).expect("in range");
            let found = wish.estimate(&Pentanomial::from([ll, ld, wl, 0, wd, ww]));
            let figures = |found: Elo| vec![Some(found.elo), Some(found.error_95)];
            found.map_or(vec![None], figures)
        }
        "decided" => answer(decided(&score(0), numbers[3], numbers[4] as u64)),
        "wilson" => {
            let interval = wilson(&score(0), Z_95);
            vec![Some(interval.low), Some(interval.high)]
        }
        "moments-games" => moments(score(0).moments()),
        "moments-pairs" => moments(pairs(0).moments()),
        "mean" => {
            let mean = Mean::of(&numbers);
            vec![
                mean.map(|mean| mean.mean),
                mean.and_then(|mean| mean.error_95),
            ]
        }
        "games" => strength(&score(0)),
        "pairs" => strength(&pairs(0)),
        "ratio-games" => vec![Some(sprt(0.05, 0.05)?.llr(&score(2)))],
        "ratio-pairs" => vec![Some(sprt(0.05, 0.05)?.llr(&pairs(2)))],
        "bounds" => {
            let bounds = sprt(numbers[2], numbers[3])?.bounds();
            vec![Some(bounds.lower), Some(bounds.upper)]
        }
        "rated" => field(&whole(0), 1)
            .into_iter()
            .flatten()
            .map(Some)
            .collect(),
        "strengths" => {
            const TIMES: u64 = 1_000_000;
            let found = field(&whole(0), TIMES);
            let last = found.last().expect("a player")[0];
            let nats = |elo: f64| (elo - last) / 400.0 * 10f64.ln();
            let of = |[elo, error]: [f64; 2]| [nats(elo), error * (TIMES as f64).sqrt()];
            found.into_iter().flat_map(of).map(Some).collect()
        }
        kind => panic!("no kind {kind}"),
    })
}

fn games(counts: &[u64]) -> Score {
    Score::new(counts[0], counts[1], counts[2])
}

fn moments(moments: Moments) -> Vec<Option<f64>> {
    [moments.number, moments.mean, moments.variance]
        .map(Some)
        .to_vec()
}

fn strength<const K: usize>(sample: &impl Sample<K>) -> Vec<Option<f64>> {
    let strength = Strength::of(sample).expect("enough units");
    let (elo, normalised) = (strength.elo, strength.normalised);
    vec![
        Some(elo.elo),
        Some(elo.error_95),
        normalised.map(|elo| elo.elo),
        normalised.map(|elo| elo.error_95),
        Some(100.0 * strength.los),
    ]
}

/// Returns the rating and error of each player, with every game repeated `times` times.
fn field(numbers: &[u64], times: u64) -> Vec<[f64; 2]> {
    let pairing = |row: &[u64]| {
        let counts: Vec<u64> = row[2..].iter().map(|count| times * count).collect();
        Meeting::from((row[0] as usize, row[1] as usize, games(&counts)))
    };
    let meetings: Vec<Meeting> = numbers[1..].chunks(5).map(pairing).collect();
    let found = Ratings::of(&meetings, numbers[0] as usize);
    found
        .bots
        .iter()
        .map(|rating| [rating.elo, rating.error_95])
        .collect()
}
