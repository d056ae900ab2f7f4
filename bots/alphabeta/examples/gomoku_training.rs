//! Makes the weights of the Gomoku evaluation; `docs/gomoku-training.md` says how it was run.
//!
//! ```text
//! gomoku_training play RULE SIZE SEED FIRST COUNT NODES >> games.txt
//! gomoku_training fit RULE SIZE PASSES games.txt > weights.txt
//! gomoku_training refine RULE SIZE PASSES games.txt > weights.txt
//! ```

use std::collections::BTreeMap;
use std::io::Write as _;

use alphabeta::gomoku::training::{known_classes, policy::Policy, samples, selfplay, value::Value};
use games::Game;

/// How often a class of shape must be seen to get weights of its own.
const TIMES: u32 = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match *words {
        ["play", rule, size, seed, first, count, nodes] => {
            let game = Game::new("gomoku", Some(rule), Some(size.parse()?))?;
            play(
                game,
                seed.parse()?,
                first.parse()?,
                count.parse()?,
                nodes.parse()?,
            )
        }
        [how @ ("fit" | "refine"), rule, size, passes, file] => fit(
            Game::new("gomoku", Some(rule), Some(size.parse()?))?,
            passes.parse()?,
            file,
            how == "refine",
        ),
        _ => Err(
            "want: play RULE SIZE SEED FIRST COUNT NODES, or fit or refine RULE SIZE PASSES FILE"
                .into(),
        ),
    }
}

fn play(
    game: Game,
    seed: u64,
    first: u64,
    count: u64,
    nodes: u64,
) -> Result<(), Box<dyn std::error::Error>> {
    let Some(rule) = games::gomoku::Rule::of(game) else {
        return Err("only gomoku is learned here".into());
    };
    let mut out = std::io::stdout().lock();
    for number in first..first + count {
        writeln!(
            out,
            "{}",
            selfplay::play(game.size(), rule, seed, number, nodes)
        )?;
        out.flush()?;
    }
    Ok(())
}

fn fit(
    game: Game,
    passes: u32,
    file: &str,
    refine: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let (mut train, mut test) = (Vec::new(), Vec::new());
    for (number, line) in std::fs::read_to_string(file)?.lines().enumerate() {
        let into = if number % 10 == 9 {
            &mut test
        } else {
            &mut train
        };
        into.extend(samples::read(game, line)?);
    }
    eprintln!(
        "{} positions to learn from, {} to test on",
        train.len(),
        test.len()
    );
    let (mut value, mut policy) = if refine {
        (Value::built_in(), Policy::built_in())
    } else {
        (Value::blank(), Policy::blank())
    };
    let (nats, first) = policy.loss(&test);
    eprintln!(
        "at first: value {:.4} nats, policy {nats:.4} nats, first {:.1} %",
        value.loss(&test),
        100.0 * first,
    );
    for pass in 0..passes {
        let speed = 1.0 - pass as f32 / passes as f32;
        // Neighbours in a game are alike: a stride that visits every position, in another order.
        let stride = 7_919 + 2 * pass as usize;
        let order = || (0..train.len()).map(|index| &train[index * stride % train.len()]);
        value.learn(order(), speed);
        policy.learn(order(), speed);
        let (nats, first) = policy.loss(&test);
        eprintln!(
            "pass {pass}: value {:.4} (learned {:.4}) nats, policy {nats:.4} nats, first {:.1} %",
            value.loss(&test),
            value.loss(train.iter().step_by(10)),
            100.0 * first,
        );
    }
    let mut seen = BTreeMap::new();
    for class in train.iter().chain(&test).flat_map(samples::Sample::classes) {
        *seen.entry(class).or_insert(0u32) += 1;
    }
    if refine {
        for class in known_classes() {
            seen.insert(class, TIMES);
        }
    }
    let often = || {
        seen.iter()
            .filter(|(_, times)| **times >= TIMES)
            .map(|(class, _)| *class)
    };
    print!("{}{}", value.text(often()), policy.text(often()));
    Ok(())
}
