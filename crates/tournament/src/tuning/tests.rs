//! Tests tunings without processes: the outcome of a game is a function of the values of both bots.

use games::Side;
use referee::record::Outcome;

use super::*;
use crate::agenda::tests::{play_with, validated};
use crate::{Agenda, Tournament};
use cases::cases;

const BOT: &str = "[[bot]]\ncommand = ['bot', '--width={width}', '--share={share}']\n";
const WIDTH: &str = "[[parameter]]\nname = 'width'\nstart = 20\nmin = 0\nmax = 400\nstep = 10\n";
const SHARE: &str =
    "[[parameter]]\nname = 'share'\ntype = 'float'\nstart = 0.9\nmin = 0\nmax = 1\nstep = 0.05\n";

fn tournament(tune: &str) -> Tournament {
    let text = format!("game = 'othello'\nopenings = 'none'\n[tune]\n{tune}\n{BOT}{WIDTH}{SHARE}");
    validated(&text).unwrap_or_else(|problem| panic!("{problem:?}"))
}

/// The expected values were computed in Python by the formulas of `OpenBench` (`create_workload.py`, `spsa_utils.py`).
#[test]
fn perturbations_and_learning_rates_are_those_of_openbench() {
    type Row = (u64, f64, f64, f64, f64, f64, String, u64, f64, f64);
    let mut tuning = Tuning::clone(tournament("iterations = 1").tuning.as_ref().expect("one"));
    for (iterations, delay, alpha, gamma, step, rate, kind, k, c, r) in cases::<Row>("spsa") {
        tuning = Tuning {
            iterations,
            delay,
            alpha,
            gamma,
            ..tuning
        };
        let of = Parameter {
            step,
            rate,
            is_float: kind == "float",
            ..tuning.parameters[0].clone()
        };
        let near = |one: f64, other: f64| (one / other - 1.0).abs() < 1e-12;
        assert!(near(tuning.perturbation(&of, k), c), "{of:?} {k}");
        assert!(near(tuning.rate(&of, k), r), "{of:?} {k}");
    }
}

#[test]
fn a_pair_moves_the_values_towards_its_winner() {
    let tournament = tournament("iterations = 10\nrate = 0.1");
    let tuning = tournament.tuning.expect("one");
    let start = tuning.start();
    let mut signs_seen = [0.0; 2];
    for pair in 0..1000 {
        let Probe { signs, plus, minus } = tuning.probe(&start, 10, pair);
        let mut moved = start.clone();
        tuning.step(&mut moved, 10, pair, 2.0);
        // In the last iteration, c is the step, and R is the rate. Each value stays within its range.
        assert!((moved[0] - (20.0 + signs[0] * 0.1 * 10.0 * 2.0)).abs() < 1e-9);
        assert!((moved[1] - (0.9 + signs[1] * 0.1 * 0.05 * 2.0)).abs() < 1e-9);
        assert!((plus[0] - minus[0] - signs[0] * 20.0).abs() < 1e-9);
        assert!((plus[1] - minus[1]).abs() > 0.09 && plus[1] <= 1.0 && minus[1] <= 1.0);
        let mut lost = start.clone();
        tuning.step(&mut lost, 10, pair, -2.0);
        assert!(
            (moved[0] + lost[0] - 40.0).abs() < 1e-9,
            "{moved:?} {lost:?}"
        );
        for (sum, sign) in signs_seen.iter_mut().zip(signs) {
            *sum += sign;
        }
    }
    // The standard deviation of a sum of 1,000 signs is 32.
    assert!(
        signs_seen.iter().all(|sum| sum.abs() < 160.0),
        "{signs_seen:?}"
    );
}

#[test]
fn whole_numbers_are_rounded_to_their_value_on_average() {
    let tuning = tournament("iterations = 10").tuning.expect("one");
    let values = [20.3, 0.5];
    let sums = (0..10_000).map(|pair| {
        let probe = tuning.probe(&values, 10, pair);
        assert!(probe.plus[0].fract() == 0.0 && probe.minus[0].fract() == 0.0);
        probe.plus[0] - probe.signs[0] * 10.0
    });
    let mean = sums.sum::<f64>() / 10_000.0;
    // The standard deviation of the mean is 0.0046.
    assert!((mean - 20.3).abs() < 0.023, "{mean}");
}

fn values(command: &TunedCommand) -> [f64; 2] {
    let value = |index: usize| {
        let word = command.arguments[index].to_str().expect("a text");
        word.rsplit_once('=')
            .expect("a value")
            .1
            .parse()
            .expect("a number")
    };
    [value(0), value(1)]
}

/// The strength of the bot in Elo: best at a width of 120 and a share of 0.3.
fn elo([width, share]: [f64; 2]) -> f64 {
    -(((width - 120.0) / 40.0).powi(2) + ((share - 0.3) / 0.2).powi(2)) * 20.0
}

fn outcome(agenda: &Agenda, fixture: &Fixture) -> Outcome {
    let [black, white] = fixture.players.map(|bot| {
        let command = agenda.command(bot, fixture).expect("it is tuned");
        elo(values(&command))
    });
    let wins = 1.0 / (1.0 + 10f64.powf((white - black) / 400.0));
    let drawn = (Draw::new(fixture.id.0, 9).bits() >> 11) as f64 / (1u64 << 53) as f64;
    Outcome::Win(if drawn < wins {
        Side::Black
    } else {
        Side::White
    })
}

fn play(agenda: &mut Agenda, workers: usize, most: usize) -> Vec<(Fixture, Outcome)> {
    play_with(agenda, workers, workers as u64, most, outcome)
}

#[test]
fn the_values_come_near_to_the_best_ones() {
    let tournament = tournament("iterations = 400\npairs = 8\nrate = 0.02\nmatch_games = 400");
    let mut agenda = Agenda::new(&tournament);
    let played = play(&mut agenda, 3, usize::MAX);
    assert_eq!(played.len() as u64, agenda.games());
    assert_eq!(agenda.games(), 2 * 400 * 8 + 400);
    let tuner = agenda.tuner().expect("it is a tuning");
    let (start, tuned) = (
        elo([20.0, 0.9]),
        elo([tuner.values()[0], tuner.values()[1]]),
    );
    assert!(
        start < -300.0 && tuned > -20.0,
        "{:?}: {tuned}",
        tuner.values()
    );
    let last: Vec<_> = played
        .iter()
        .filter(|(fixture, _)| fixture.players.contains(&TUNED))
        .collect();
    assert_eq!(last.len(), 400);
    assert!(
        last.iter()
            .all(|(fixture, _)| fixture.players.contains(&START))
    );
}

#[test]
fn the_values_do_not_depend_on_workers_or_interruptions() {
    let tournament = tournament("iterations = 20\npairs = 5\nrate = 0.05\nmatch_games = 10");
    let way = |agenda: &Agenda| agenda.tuner().expect("it is a tuning").way().to_owned();
    let mut whole = Agenda::new(&tournament);
    play(&mut whole, 1, usize::MAX);
    assert_eq!(way(&whole).len(), 21);
    for (workers, killed_after) in [
        (2, 0),
        (7, 1),
        (3, 9),
        (4, 10),
        (2, 137),
        (5, 199),
        (3, 205),
    ] {
        let mut cut = Agenda::new(&tournament);
        let mut record = play(&mut cut, workers, killed_after);
        record.sort_by_key(|(fixture, _)| fixture.id);
        let mut agenda = Agenda::new(&tournament);
        for (fixture, outcome) in record {
            let names = fixture.players.map(|bot| NAMES[bot]);
            agenda
                .restore(fixture.id, names, outcome, fixture.id.0)
                .expect("its own game");
        }
        play(&mut agenda, workers, usize::MAX);
        assert!(agenda.is_over());
        assert_eq!(
            way(&agenda),
            way(&whole),
            "{workers} workers, {killed_after} games"
        );
    }
}

#[test]
fn a_tuning_that_cannot_be_played_says_where_it_is_wrong() {
    for (text, what, shown) in cases::<(String, String, String)>("tune-mistakes") {
        let text = format!("game = 'othello'\nopenings = 'none'\n{text}");
        let problem = validated(&text).expect_err(&text);
        assert!(
            problem.what.to_string().contains(&what),
            "{text}: {problem:?}"
        );
        let at = problem.at.expect("a place");
        assert!(
            text[at.clone()].starts_with(&shown),
            "{text}: {:?}",
            &text[at]
        );
    }
}

#[test]
fn values_have_the_digits_that_their_step_shows() {
    let of = |is_float, step| Parameter {
        name: String::new(),
        start: 0.0,
        min: -1e6,
        max: 1e6,
        step,
        rate: 1.0,
        is_float,
    };
    for (is_float, step, value, text) in cases::<(bool, f64, f64, String)>("tuned-values") {
        assert_eq!(of(is_float, step).text(value), text);
    }
}
