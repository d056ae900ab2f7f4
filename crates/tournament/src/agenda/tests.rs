//! Tests the agenda without processes: the outcome of a game is a function of its fixture.

use std::collections::VecDeque;

use super::*;
use crate::{Catalogue, Draw, Goal, Problem, TournamentFile};
use stats::{Model, Precision, Sprt};

fn tournament(format: &str, bots: usize, rounds: u64) -> Tournament {
    let bot = |number| format!("[[bot]]\nname = 'bot-{number}'\ncommand = ['never']\n");
    let bots: String = (0..bots).map(bot).collect();
    let head = format!(
        "game = 'othello'\nopenings = 'none'\ngames = {}",
        2 * rounds
    );
    validated(&format!("{head}\nformat = {format}\n{bots}")).expect("a tournament")
}

pub fn validated(text: &str) -> Result<Tournament, Problem> {
    TournamentFile::parse(text)?.validate(&Catalogue::empty(), ".".as_ref())
}

fn name(bot: usize) -> String {
    format!("bot-{bot}")
}

fn names(names: &[String; 2]) -> [&str; 2] {
    names.each_ref().map(String::as_str)
}

fn sprt(elo1: f64) -> Sprt {
    Sprt::new(0.0, elo1, 0.05, 0.05, Model::Logistic).expect("hypotheses in order")
}

fn outcome(fixture: &Fixture) -> Outcome {
    let mut draw = Draw::new(fixture.id.0, 5);
    let [black, white] = fixture.players;
    match draw.below(10) {
        0 => Outcome::Draw,
        1..=3 => Outcome::Win(Side::Black),
        4..=5 => Outcome::Win(Side::White),
        _ if black < white => Outcome::Win(Side::Black),
        _ => Outcome::Win(Side::White),
    }
}

fn play(
    agenda: &mut Agenda,
    workers: usize,
    seed: u64,
    most: usize,
) -> Vec<(GameId, [usize; 2], Outcome)> {
    let games = play_with(agenda, workers, seed, most, |_, fixture| outcome(fixture));
    let games = games.into_iter();
    games
        .map(|(game, outcome)| (game.id, game.players, outcome))
        .collect()
}

/// Plays up to `most` games with `workers` workers. Returns the games in the order of their ends; `seed` sets it.
pub fn play_with(
    agenda: &mut Agenda,
    workers: usize,
    seed: u64,
    most: usize,
    outcome: impl Fn(&Agenda, &Fixture) -> Outcome,
) -> Vec<(Fixture, Outcome)> {
    let mut draw = Draw::new(seed, 6);
    let mut on: VecDeque<Fixture> = VecDeque::new();
    let mut finished = Vec::new();
    while finished.len() < most {
        while on.len() < workers
            && let Next::Game(fixture) = agenda.take()
        {
            on.push_back(fixture);
        }
        if on.is_empty() {
            assert_eq!(
                agenda.take(),
                Next::Over,
                "no game is in progress, so the run must be over"
            );
            break;
        }
        let fixture = on
            .remove(draw.below(on.len() as u64) as usize)
            .expect("a game in progress");
        let outcome = outcome(agenda, &fixture);
        agenda.finished(fixture.id, outcome, fixture.id.0);
        finished.push((fixture, outcome));
    }
    finished
}

fn formats() -> Vec<Tournament> {
    vec![
        tournament("'round-robin'", 5, 3),
        tournament("'gauntlet'\nseeds = 2", 5, 2),
        tournament("'swiss'\nrounds = 4", 9, 2),
        tournament("'knockout'", 11, 1),
        tournament("'ladder'\nrounds = 6", 6, 2),
    ]
}

#[test]
fn the_number_and_speed_of_workers_change_no_game_and_no_place() {
    for tournament in formats() {
        let mut alone = Agenda::new(&tournament);
        let expected = play(&mut alone, 1, 0, usize::MAX);
        assert!(alone.is_over());
        assert_eq!(
            alone.games(),
            expected.len() as u64,
            "{:?}",
            tournament.format
        );
        for workers in 2..6 {
            let mut agenda = Agenda::new(&tournament);
            let mut games = play(&mut agenda, workers, workers as u64, usize::MAX);
            games.sort_by_key(|&(id, ..)| id);
            assert_eq!(
                games, expected,
                "{:?}, {workers} workers",
                tournament.format
            );
            assert_eq!(agenda.places(), alone.places());
        }
    }
}

#[test]
fn a_bot_has_the_points_of_its_own_games() {
    // With an even number of bots, no bot has points without a game.
    let swiss = tournament("'swiss'\nrounds = 3", 8, 2);
    let mut agenda = Agenda::new(&swiss);
    let mut points = [0.0; 8];
    for (_, players, outcome) in play(&mut agenda, 1, 0, usize::MAX) {
        for (bot, side) in players.into_iter().zip([Side::Black, Side::White]) {
            points[bot] += outcome.half_points(side).map_or(0.0, f64::from) / 2.0;
        }
    }
    let counted = agenda.places().and_then(|places| places.points);
    assert_eq!(counted, Some(points.to_vec()));
}

#[test]
fn a_run_that_is_resumed_anywhere_has_the_same_games() {
    for tournament in formats() {
        let mut whole = Agenda::new(&tournament);
        let expected = play(&mut whole, 1, 0, usize::MAX);
        for stop in 0..expected.len() {
            let mut kept = play(&mut Agenda::new(&tournament), 3, stop as u64, stop);
            kept.sort_by_key(|&(id, ..)| id);
            let mut agenda = Agenda::new(&tournament);
            for &(id, players, outcome) in &kept {
                let restored = agenda.restore(id, names(&players.map(name)), outcome, id.0);
                assert_eq!(restored, Ok(()), "{:?} after {stop}", tournament.format);
            }
            kept.extend(play(&mut agenda, 2, stop as u64, usize::MAX));
            kept.sort_by_key(|&(id, ..)| id);
            assert_eq!(kept, expected, "{:?} after {stop}", tournament.format);
            assert_eq!(agenda.places(), whole.places());
        }
    }
}

#[test]
fn a_match_with_a_goal_ends_where_it_would_have_with_one_worker() {
    let precision = Precision::new(40.0).expect("in range");
    for goal in [Goal::Decision(sprt(100.0)), Goal::Precision(precision)] {
        ends_where_it_would_have_with_one_worker(goal);
    }
}

fn ends_where_it_would_have_with_one_worker(goal: Goal) {
    let tournament = Tournament {
        goal: Some(goal),
        ..tournament("'match'", 2, 10_000)
    };
    let mut alone = Agenda::new(&tournament);
    let games = play(&mut alone, 1, 0, usize::MAX).len();
    assert!(
        alone.is_over() && alone.stopping().is_some_and(Stopping::is_reached) && games < 20_000,
        "{games}"
    );
    let decided = |agenda: &Agenda| {
        let test = agenda.stopping().expect("there is one");
        (test.is_reached(), test.pairs(), test.games())
    };
    for workers in 2..8 {
        let mut agenda = Agenda::new(&tournament);
        let played = play(&mut agenda, workers, workers as u64, games + 5 * workers);
        assert_eq!(decided(&agenda), decided(&alone), "{workers} workers");
        assert!(
            played.len() >= games,
            "games after the last counted pair are kept"
        );
        let mut resumed = Agenda::new(&tournament);
        let mut kept = played;
        kept.sort_by_key(|&(id, ..)| id);
        for (id, players, outcome) in kept {
            resumed
                .restore(id, names(&players.map(name)), outcome, id.0)
                .expect("its own games");
        }
        assert_eq!(resumed.take(), Next::Over);
        assert_eq!(decided(&resumed), decided(&alone));
    }
}

#[test]
fn a_void_game_stops_only_what_depends_on_it() {
    for (tournament, stops) in [
        (tournament("'knockout'", 4, 2), true),
        (tournament("'round-robin'", 4, 2), false),
        (
            Tournament {
                goal: Some(Goal::Decision(sprt(10.0))),
                ..tournament("'match'", 2, 100)
            },
            true,
        ),
    ] {
        let mut agenda = Agenda::new(&tournament);
        let Next::Game(first) = agenda.take() else {
            panic!("there is a first game")
        };
        agenda.finished(first.id, Outcome::Void, 0);
        assert_eq!(
            agenda.take() == Next::Over,
            stops,
            "{:?}",
            tournament.format
        );
        assert!(!agenda.is_over());
    }
}

#[test]
fn a_record_of_another_run_is_refused() {
    let tournament = tournament("'knockout'", 4, 1);
    let mut agenda = Agenda::new(&tournament);
    let win = Outcome::Win(Side::Black);
    let others = agenda.restore(GameId(0), ["bot-0", "bot-1"], win, 0);
    assert_eq!(
        others.expect_err("bot-0 meets bot-3").what,
        "game 0 of the record is bot-0 against bot-1, but the tournament says bot-0 against bot-3: \
         the record is another run's, or run.toml was changed"
    );
    // Game 4 is the final, whose players are not known yet.
    let early = agenda.restore(GameId(4), ["bot-0", "bot-1"], win, 0);
    let what = early.expect_err("its players are unknown").what;
    assert!(
        what.to_string()
            .starts_with("the record has game 4, but the tournament does not"),
        "{what}"
    );
}

#[test]
fn games_that_are_not_needed_are_skipped() {
    let mut agenda = Agenda::new(&tournament("'gauntlet'", 3, 2));
    agenda.pass_over([2, 0]);
    let mut met = Vec::new();
    while let Next::Game(fixture) = agenda.take() {
        met.push(fixture.players);
    }
    assert_eq!(met, [[0, 1], [1, 0], [0, 1], [1, 0]]);
}

#[test]
fn a_withdrawn_bot_keeps_its_results_and_plays_no_further_game() {
    let tournament = tournament("'round-robin'", 4, 4);
    let mut agenda = Agenda::new(&tournament);
    let before = play(&mut agenda, 1, 0, 7);
    agenda
        .withdraw(&[1].into())
        .expect("no pairing depends on results");
    let after = play(&mut agenda, 1, 0, usize::MAX);
    let has_bot = |games: &[(GameId, [usize; 2], Outcome)]| {
        games
            .iter()
            .filter(|(_, players, _)| players.contains(&1))
            .count()
    };
    assert!(agenda.is_over() && has_bot(&before) > 0);
    assert_eq!(has_bot(&after), 0);
    assert_eq!(agenda.games(), (before.len() + after.len()) as u64);
}
