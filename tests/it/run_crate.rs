//! Tests of the crate `run`: a whole run, blocks, a run after a stop, players that are not processes, and watchers.

use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use games::{Move, Rules};
use protocol::{Over, Start};
use referee::bot::{Answer, ArenaError, Failure, Hold};
use referee::{Player, Turn};
use run::store::Store;
use run::{Event, HumanGame, NewStandIn, Run, RunError, RunState, Stop};
use tournament::{Catalogue, Opening, TournamentFile};

use crate::common::plan::tournament;

const PATIENCE: Duration = Duration::from_secs(60);

struct Acts<F>(F);

impl<F: FnMut(&Turn<'_>) -> Result<Answer, Failure> + Send> Player for Acts<F> {
    fn start(&mut self, _: &Start, _: Hold<'_>) -> Result<(), Failure> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Answer, Failure> {
        (self.0)(turn)
    }

    fn over(&mut self, _: &Over) {}
}

fn acts<F>(player: impl Fn(&Stop) -> F + Send + Sync + 'static) -> NewStandIn
where
    F: FnMut(&Turn<'_>) -> Result<Answer, Failure> + Send + 'static,
{
    NewStandIn::new(move |stop: &Stop| -> Box<dyn Player> { Box::new(Acts(player(stop))) })
}

fn play(turn: &Turn<'_>, is_first: bool) -> Answer {
    let legal = turn.legal;
    let square = if is_first {
        legal.first()
    } else {
        legal.last()
    };
    let square = square.expect("a bot is asked where it can move");
    Answer {
        played: square.to_string(),
        ..Answer::default()
    }
}

fn scripted(is_first: bool) -> NewStandIn {
    acts(move |_| move |turn: &Turn<'_>| Ok(play(turn, is_first)))
}

const HEAD: &str = "game = 'othello'\nmove_ms = 0\nmargin_ms = 0\nconcurrency = 2\npin = false";

/// Makes a run of four pairs. The first bot always plays the first legal square, and the second bot the last.
fn scripts(folder: &std::path::Path) -> Run {
    let mut tournament = tournament(&format!("{HEAD}\ngames = 8"), &["first", "last"]);
    let openings = ["", "f5d6c3", "f5f6", "f5d6"].map(|text| Opening {
        moves: games::parse_transcript(tournament.game, text)
            .expect("legal")
            .0,
    });
    tournament.openings = openings.into();
    let mut run = Run::resume(tournament, folder, Stop::new()).expect("a run");
    run.seat(0, scripted(true));
    run.seat(1, scripted(false));
    run
}

fn played(run: &Run) -> Vec<(u64, String, Vec<Move>)> {
    let mut games = Vec::new();
    run.each(|record| games.push((record.id.0, record.players[0].clone(), record.moves())))
        .expect("a sound record");
    games
}

#[test]
fn blocks_that_make_no_sense_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = |run: &mut Run, pairs| match run.only(pairs) {
        Err(RunError::Input(problem)) => problem.what.clone(),
        other => panic!("{other:?}"),
    };
    let mut run = scripts(folder.path());
    assert!(refused(&mut run, 3..5).to_string().contains("4 pairs"));
    assert!(refused(&mut run, 2..2).to_string().contains("4 pairs"));
    let folder = tempfile::tempdir().expect("a folder");
    let text = format!("{HEAD}\nformat = 'swiss'\nrounds = 2\ngames = 2");
    let swiss = tournament(&text, &["a", "b", "c", "d"]);
    let mut run = Run::resume(swiss, folder.path(), Stop::new()).expect("a run");
    assert!(refused(&mut run, 0..1).to_string().contains("swiss"));
}

/// The running games of a watcher by number, with their moves.
type Heard = Arc<Mutex<BTreeMap<u64, Vec<Move>>>>;

#[test]
fn a_watcher_follows_every_game_half_move_by_half_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut run = scripts(folder.path());
    let heard = Heard::default();
    for bot in 0..2 {
        let heard = Arc::clone(&heard);
        // Before each move, the players wait until the watcher has received all earlier moves.
        run.seat(
            bot,
            acts(move |_| {
                let heard = Arc::clone(&heard);
                move |turn: &Turn<'_>| {
                    let is_heard = || {
                        let heard = heard.lock().expect("no panic");
                        heard.values().any(|moves| moves == turn.moves)
                    };
                    while !is_heard() {
                        thread::yield_now();
                    }
                    Ok(play(turn, bot == 0))
                }
            }),
        );
    }
    let mut watcher = run.watch();
    let listener = Arc::clone(&heard);
    let watching = thread::spawn(move || {
        let mut finished = Vec::new();
        while finished.len() < 8 {
            let event = watcher.next(Duration::from_millis(100));
            let mut heard = listener.lock().expect("no panic");
            match event {
                Event::Started { game, opening, .. } => {
                    assert_eq!(heard.insert(game.0, opening.to_vec()), None);
                }
                Event::Ply {
                    game, number, ply, ..
                } => {
                    let moves = heard.get_mut(&game.0).expect("it has started");
                    moves.push(ply.played);
                    assert!(moves.len() > number);
                }
                Event::Finished { record } => {
                    // The watcher may receive the last move only with the end of the game.
                    let (before, moves) = (heard.remove(&record.id.0), record.moves());
                    let (_, but_one) = moves.split_last().expect("a game of some moves");
                    let before = before.expect("it has started");
                    assert!(before == moves || before == but_one, "{}", record.id.0);
                    finished.push((record.id.0, moves));
                }
                Event::Tick => {}
                other => panic!("{other:?}"),
            }
        }
        finished
    });
    run.play(|_, _| {}).expect("it is played");
    let mut finished = watching.join().expect("no panic");
    finished.sort();
    let kept: Vec<_> = played(&run)
        .into_iter()
        .map(|(id, _, moves)| (id, moves))
        .collect();
    assert_eq!(finished, kept);
}

/// An interrupted game continues with the same result. Its record has the interruptions of each side.
#[test]
fn an_interrupted_game_goes_on_from_its_last_move() {
    let [calm, unlucky] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let mut run = scripts(calm.path());
    run.play(|_, _| {}).expect("it is played");
    let expected = played(&run);
    let mut run = scripts(unlucky.path());
    let failures = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&failures);
    // The machine fails once: when the first bot is asked for the third time in a game.
    run.seat(
        0,
        acts(move |_| {
            let (mut asked, failures) = (0, Arc::clone(&count));
            move |turn: &Turn<'_>| {
                asked += 1;
                if asked == 3 && failures.fetch_add(1, Ordering::SeqCst) == 0 {
                    return Err(ArenaError::Starved(Duration::from_secs(1)).into());
                }
                Ok(play(turn, true))
            }
        }),
    );
    run.play(|_, _| {}).expect("it is played");
    assert_eq!(played(&run), expected);
    let mut interrupted = Vec::new();
    run.each(|record| {
        if record.attempts > 1 {
            interrupted.push((record.attempts, record.interruptions.iter().sum::<u32>()));
            let unlucky = usize::from(record.players[1] == "first");
            assert_eq!(record.interruptions[unlucky], 1, "it was waited for");
        }
    })
    .expect("a sound record");
    assert_eq!(interrupted, [(2, 1)]);
    // Each attempt has one third question. There are eight games, and one of them has a second attempt.
    assert_eq!(failures.load(Ordering::SeqCst), 8 + 1);
}

#[test]
fn a_stop_ends_the_wait_for_a_player_who_is_away_and_no_other_run() {
    let [one, other] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let is_asked = Arc::new(AtomicBool::new(false));
    let mut run = scripts(one.path());
    let asked = Arc::clone(&is_asked);
    // Like a person who has left, this player makes no move, until the run is aborted.
    run.seat(
        1,
        acts(move |stop| {
            let (stop, is_asked) = (stop.clone(), Arc::clone(&asked));
            move |_: &Turn<'_>| {
                is_asked.store(true, Ordering::SeqCst);
                while !stop.is_abort() {
                    thread::yield_now();
                }
                Err(ArenaError::Aborted.into())
            }
        }),
    );
    let stop = run.stop();
    let (done, is_done) = mpsc::channel();
    thread::spawn(move || {
        run.play(|_, _| {}).expect("a stop is no failure");
        done.send((run.state(), played(&run).len())).expect("heard");
    });
    while !is_asked.load(Ordering::SeqCst) {
        thread::yield_now();
    }
    stop.request();
    stop.request();
    let (state, games) = is_done.recv().expect("it ends");
    assert_eq!((state, games), (RunState::Unfinished, 0));
    let mut run = scripts(other.path());
    run.play(|_, _| {}).expect("it is played");
    assert_eq!(run.state(), RunState::Over);
}

/// The lost game decides the next pairings. Without a stop, the other worker would wait for it forever.
#[test]
fn a_worker_that_panics_ends_a_swiss_run_with_its_error_and_loses_no_finished_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_owned();
    let text = format!("{HEAD}\nformat = 'swiss'\nrounds = 2\ngames = 2");
    let names = ["a", "b", "c", "d"];
    let (done, is_done) = mpsc::channel();
    let swiss = tournament(&text, &names);
    thread::spawn(move || {
        let mut run = Run::resume(swiss, &path, Stop::new()).expect("a run");
        let has_panicked = Arc::new(AtomicBool::new(false));
        for bot in 0..4 {
            let has_panicked = Arc::clone(&has_panicked);
            // The first bot that is asked for a move panics.
            let defective = acts(move |_| {
                let has_panicked = Arc::clone(&has_panicked);
                move |turn: &Turn<'_>| {
                    let again = has_panicked.swap(true, Ordering::SeqCst);
                    assert!(again, "a defect of the arena");
                    Ok(play(turn, true))
                }
            });
            run.seat(bot, defective);
        }
        let mut finished = 0;
        let ended = run.play(|event, _| {
            finished += u64::from(matches!(event, Event::Finished { .. }));
        });
        drop(run);
        done.send((ended, finished)).expect("heard");
    });
    let (ended, finished) = is_done.recv_timeout(PATIENCE).expect("the run ends");
    let error = ended.expect_err("a worker panicked").to_string();
    assert!(error.contains("a defect of the arena"), "{error}");
    let mut run =
        Run::resume(tournament(&text, &names), folder.path(), Stop::new()).expect("a run");
    assert_eq!(run.status().played(), finished);
    (0..4).for_each(|bot| run.seat(bot, scripted(true)));
    run.play(|_, _| {}).expect("it is played");
    assert_eq!(run.state(), RunState::Over);
}

/// A game is void after its first half-move; then the openings change.
#[test]
fn a_run_whose_openings_were_edited_is_refused_with_their_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let openings = folder.path().join("openings.txt");
    let resumed = |lines: &str| {
        fs::write(&openings, lines).expect("a file");
        let text = format!("{HEAD}\ngames = 2\nopenings = 'openings.txt'");
        let bots =
            "\n[[bot]]\nname = 'one'\ncommand = ['-']\n[[bot]]\nname = 'two'\ncommand = ['-']";
        let file = TournamentFile::parse(&(text + bots)).expect("TOML");
        let tournament = file.validate(&Catalogue::empty(), folder.path());
        Run::resume(
            tournament.expect("a tournament"),
            folder.path(),
            Stop::new(),
        )
    };
    let mut run = resumed("f5d6\n").expect("a run");
    run.seat(0, scripted(true));
    run.seat(1, acts(|_| |_: &Turn<'_>| Err(ArenaError::Aborted.into())));
    run.play(|_, _| {}).expect("void games are saved");
    assert!(!played(&run).is_empty());
    drop(run);
    match resumed("f5f6\n") {
        Err(RunError::Input(problem)) => {
            assert!(
                problem.what.to_string().contains("openings.txt"),
                "{problem:?}"
            );
        }
        other => panic!("{other:?}"),
    }
    resumed("f5d6\n").expect("they are as they were");
}

/// Two pages take moves back at the same time, while another arena tries to open the run.
#[test]
fn the_run_of_a_game_stays_locked_while_moves_are_taken_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "game = 'othello'\nmove_ms = 0\ngames = 2\npin = false";
    let tournament = tournament(text, &["one", "two"]);
    let run = Run::resume(tournament, folder.path(), Stop::new()).expect("a run");
    let game = &HumanGame::begin(run, [true; 2], || ()).expect("it begins");
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        let done = Done(&is_done);
        let other = scope.spawn(|| {
            let mut opened = 0;
            while !is_done.load(Ordering::SeqCst) {
                opened += usize::from(Store::open(folder.path()).is_ok());
            }
            opened
        });
        let mut taken_back = Vec::new();
        for _ in 0..10 {
            for _ in 0..3 {
                let asked_at = Instant::now();
                while let Err(not) = game.put(&legal(game)) {
                    assert!(asked_at.elapsed() < PATIENCE, "{not:?}");
                    thread::yield_now();
                }
            }
            let pages = [(); 2].map(|()| scope.spawn(|| game.take_back()));
            taken_back.extend(pages.map(|page| page.join().expect("no panic")));
            if game.state().has_ended() {
                break;
            }
        }
        drop(done);
        assert_eq!(
            other.join().expect("no panic"),
            0,
            "another arena got the run"
        );
        for taken_back in taken_back {
            assert_eq!(taken_back, Ok(()));
        }
    });
    game.leave().expect("it is kept");
    Store::open(folder.path()).expect("the run is free again");
}

struct Done<'a>(&'a AtomicBool);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

/// Returns a legal move; if there is none, a text that is not a move.
fn legal(game: &HumanGame) -> String {
    let board = game.position(&game.state()).1;
    let square = board.legal_squares().into_iter().next();
    square.map_or("none".to_owned(), |square| square.to_string())
}
