//! The Generic Game Format, which the server GGS and the program `NBoard` write for Othello.
//!
//! A game is a list of properties between `(;` and `;)`; text between games is ignored. Like `NBoard`, the writer puts
//! each game on one line, and the board into one word.
//!
//! The properties are `PB` and `PW` (names), `PC` (place), `DT` (date), `TI`, or `TB` and `TW` (clocks as
//! main/increment/grace), `TY` (type of game), `RE` (result), `BO` (start position and side to move), `B` and `W`
//! (moves as `square/evaluation/seconds`). A result is black's discs minus white's, with `:r` after a resignation, `:t`
//! after a loss on time, `:s` after an agreement. Ratings and komi bids are dropped. The reader adds omitted passes.
//!
//! ```
//! use games::formats::ggf;
//!
//! let text = "(;GM[Othello]PC[NBoard]PB[Chris]PW[Ntest2]RE[?]TI[05:00//02:00]TY[8]\
//!             BO[8 ---------------------------O*------*O--------------------------- *]\
//!             B[F5//1.20]W[D6/-0.50/0.30];)";
//! let game = ggf::parse(text)?;
//! assert_eq!(game.players, ["Chris", "Ntest2"]);
//! assert_eq!(game.moves[1].evaluation, Some(-0.5));
//! assert_eq!(ggf::write(&game)?, format!("{text}\n"));
//!
//! let error = ggf::parse(&text.replace("D6", "D7")).unwrap_err().to_string();
//! assert_eq!(error, "line 1, column 154: move 2: d7 is not a legal move for white: it turns over no disc");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: M. Buro, "Generic Game Format", <https://www.skatgame.net/mburo/ggsa/ggf>.

use std::time::Duration;

use super::replay::Replay;
use super::scanner::Scanner;
use super::{BadFile, CannotHold, GameResult, How, Mistake, SavedGame, SavedMove, TimeControl};
use crate::othello::{OthelloBoard, Position};
use crate::{Game, Move, Rules, Side, UnknownGame};

/// The grace time of a clock that states none, as on GGS.
const USUAL_GRACE: Duration = Duration::from_secs(120);
const ALL_DISCS: f64 = 64.0;

/// Reads the first game of a text.
pub fn parse(text: &str) -> Result<SavedGame, BadFile> {
    let mut scanner = Scanner::new(text);
    match next_game(&mut scanner)? {
        Some(game) => Ok(game),
        None => Err(Scanner::new(text).wanted(NO_GAME)),
    }
}

/// Reads all games of a text.
pub fn read(text: &str) -> Result<Vec<SavedGame>, BadFile> {
    let mut scanner = Scanner::new(text);
    let games: Vec<_> =
        std::iter::from_fn(|| next_game(&mut scanner).transpose()).collect::<Result<_, _>>()?;
    if games.is_empty() && !text.trim().is_empty() {
        return Err(Scanner::new(text).wanted(NO_GAME));
    }
    Ok(games)
}

/// The longest clock in seconds (136 years). Sums of such times do not overflow.
const LONGEST_CLOCK: u64 = u32::MAX as u64;
const NO_GAME: &str = "a game is written (;GM[Othello]BO[8 … *]B[F5];)";

struct Property<'a> {
    name: &'a str,
    value: &'a str,
}

fn next_game(scanner: &mut Scanner) -> Result<Option<SavedGame>, BadFile> {
    if scanner.take_until("(;").is_none() {
        return Ok(None);
    }
    let mut properties = Vec::new();
    loop {
        scanner.skip_space();
        if scanner.eat(";)") || scanner.eat(")") {
            return game(scanner, &properties).map(Some);
        }
        let before = *scanner;
        let name = scanner.take_while(|c| c.is_ascii_alphabetic());
        if name.is_empty() || !scanner.eat("[") {
            return Err(before.wanted("write a property such as B[F5], or ;) to end the game"));
        }
        let Some(value) = scanner.take_until("]") else {
            return Err(before.wanted("this property has no closing ]"));
        };
        properties.push(Property { name, value });
    }
}

fn game(scanner: &Scanner, properties: &[Property]) -> Result<SavedGame, BadFile> {
    let mut game = SavedGame::new(Game::OTHELLO.start());
    for property in properties {
        let Property { name, value } = *property;
        match name {
            "GM" if !value.eq_ignore_ascii_case("othello") => {
                let unknown = UnknownGame::named(value);
                return Err(scanner.bad(value, unknown));
            }
            "TY" if value.contains('a') => {
                return Err(scanner.bad(value, found(value, "anti-Othello is not supported")));
            }
            "PB" => value.clone_into(&mut game.players[0]),
            "PW" => value.clone_into(&mut game.players[1]),
            "PC" => value.clone_into(&mut game.event),
            "DT" => value.clone_into(&mut game.date),
            "TI" | "TB" | "TW" => {
                let read = clock(value).ok_or_else(|| {
                    let wanted = "write a clock as minutes:seconds/increment/grace, 05:00//02:00";
                    scanner.bad(value, found(value, wanted))
                })?;
                for side in Side::BOTH {
                    if name == "TI" || name == ["TB", "TW"][side.index()] {
                        game.clocks[side.index()] = Some(read);
                    }
                }
            }
            "RE" => {
                let wanted = "write black's discs minus white's as +12.00, or ?";
                game.result =
                    result(value).ok_or_else(|| scanner.bad(value, found(value, wanted)))?;
            }
            "BO" => {
                let start = start(value).map_err(|fault| scanner.bad(value, fault))?;
                game.start = crate::Board::Othello(start);
            }
            _ => {}
        }
    }
    let mut replay = Replay::new(&game.start);
    for Property { name, value } in properties {
        let side = match *name {
            "B" => Side::Black,
            "W" => Side::White,
            _ => continue,
        };
        saved_move(value, replay.next())
            .and_then(|saved| replay.play(Some(side), saved))
            .map_err(|fault| scanner.bad(value, fault))?;
    }
    game.moves = replay.moves;
    Ok(game)
}

/// Reads a move such as `F5/1.20/0.5`; `number` is its number in the game.
fn saved_move(text: &str, number: usize) -> Result<SavedMove, Mistake> {
    let mut parts = text.split('/');
    let mut part = || parts.next().unwrap_or_default().trim();
    let (played, evaluation, time) = (part(), part(), part());
    let played = match played.to_ascii_lowercase().as_str() {
        "pa" | "pass" | "" => Move::Pass,
        _ => played
            .parse()
            .map_err(|source| Mistake::Square { number, source })?,
    };
    let seconds = self::number(time, "a time is in seconds")?;
    let duration = |seconds| {
        Duration::try_from_secs_f64(seconds).map_err(|_| found(text, "a time is in seconds"))
    };
    Ok(SavedMove {
        played,
        evaluation: self::number(evaluation, "an evaluation is a number")?,
        time: seconds.map(duration).transpose()?,
    })
}

/// Reads a number that may be omitted. Infinity and NaN count as omitted.
fn number(text: &str, wanted: &'static str) -> Result<Option<f64>, Mistake> {
    if text.is_empty() {
        return Ok(None);
    }
    let number: f64 = text.parse().map_err(|_| found(text, wanted))?;
    Ok(Some(number).filter(|number| number.is_finite()))
}

fn found(value: &str, wanted: &'static str) -> Mistake {
    Mistake::Found {
        found: value.to_owned(),
        wanted,
    }
}

fn start(value: &str) -> Result<OthelloBoard, Mistake> {
    let value = value.trim_start();
    let digits = value
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(value.len());
    let (size, squares) = value.split_at(digits);
    let size = size
        .parse()
        .map_err(|_| found(value, "a board begins with its size, 8"))?;
    if size != 8 {
        let unknown = Game::new(Game::OTHELLO.name(), None, Some(size));
        return Err(Mistake::Game(unknown.expect_err("there is one size")));
    }
    let position = Position::parse(squares)?;
    let side = squares.trim_end().chars().next_back();
    let black = side.is_some_and(|symbol| "*XxBb".contains(symbol));
    let side = if black { Side::Black } else { Side::White };
    Ok(OthelloBoard::new(position, side))
}

/// Reads `05:00/00:03/02:00`; the last two parts may be omitted.
fn clock(value: &str) -> Option<TimeControl> {
    let mut parts = value.split('/').map(str::trim);
    let mut part = |absent| match parts.next() {
        None => Some(absent),
        Some("") => Some(Duration::ZERO),
        Some(text) => duration(text),
    };
    Some(TimeControl {
        main: part(Duration::ZERO)?,
        increment: part(Duration::ZERO)?,
        grace: part(USUAL_GRACE)?,
    })
}

/// Reads days.hours:minutes:seconds; the first parts may be missing. Ignores a comma and the number of moves after it.
fn duration(text: &str) -> Option<Duration> {
    let text = text.split(',').next()?;
    let (days, clock) = text.split_once('.').unwrap_or(("0", text));
    let mut seconds = 0u64;
    for part in clock.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    let days: u64 = days.parse().ok()?;
    let seconds = seconds.checked_add(days.checked_mul(24 * 60 * 60)?)?;
    (seconds <= LONGEST_CLOCK).then(|| Duration::from_secs(seconds))
}

/// Reads `+64.00:r`, or `?` for an unknown result (`Some(None)`). `None` means that the text is not a result.
#[expect(
    clippy::option_option,
    reason = "unreadable is not the same as unknown"
)]
fn result(value: &str) -> Option<Option<GameResult>> {
    let (score, flag) = value.trim().split_once(':').unwrap_or((value.trim(), ""));
    if matches!(score, "?" | "") {
        return Some(None);
    }
    let margin: f64 = score.parse().ok().filter(|score: &f64| score.is_finite())?;
    let how = match flag {
        "" => How::Played,
        "r" => How::Resigned,
        "t" => How::OutOfTime,
        "s" => How::Agreed,
        _ => return None,
    };
    let winner = match margin {
        margin if margin > 0.0 => Some(Side::Black),
        margin if margin < 0.0 => Some(Side::White),
        _ => None,
    };
    Some(Some(GameResult {
        winner,
        margin: Some(margin),
        how,
    }))
}

/// Writes a game as a line. A forfeit becomes a resignation; a void game has no result. Clocks become whole seconds.
pub fn write(game: &SavedGame) -> Result<String, CannotHold> {
    let crate::Board::Othello(start) = &game.start else {
        return Err(CannotHold::Game {
            format: "GGF",
            game: game.start.game(),
            instead: "sgf or psq",
        });
    };
    let mut text = String::from("(;GM[Othello]");
    let [black, white] = &game.players;
    for (name, value) in [
        // GGF has no property for the event, so the event replaces an unknown site.
        (
            "PC",
            if game.site.is_empty() {
                &game.event
            } else {
                &game.site
            },
        ),
        ("DT", &game.date),
        ("PB", black),
        ("PW", white),
    ] {
        if !value.is_empty() || matches!(name, "PB" | "PW") {
            text += &format!("{name}[{}]", tame(value));
        }
    }
    text += &format!("RE[{}]", result_text(game.result));
    text += &clocks_text(game.clocks);
    let discs = 64 - start.position().empties().count_ones();
    let kind = if *start == OthelloBoard::START {
        "8".to_owned()
    } else {
        format!("8r{discs}")
    };
    let mut side = start.side_to_move();
    let squares = start.position().format(side).replace('X', "*");
    text += &format!("TY[{kind}]BO[8 {squares}]");
    for saved in &game.moves {
        text += &format!("{}[{}]", ["B", "W"][side.index()], move_text(saved));
        side = !side;
    }
    Ok(text + ";)\n")
}

/// Replaces brackets, which would end a property, and control characters.
fn tame(value: &str) -> String {
    let tame = |c: char| match c {
        '[' => '(',
        ']' => ')',
        c if c.is_control() => ' ',
        c => c,
    };
    value.chars().map(tame).collect()
}

fn move_text(saved: &SavedMove) -> String {
    let played = match saved.played {
        Move::Place(square) => square.to_string().to_ascii_uppercase(),
        Move::Pass | Move::Choose(_) => "PA".to_owned(),
    };
    let number = |value: Option<f64>| value.map(decimals).unwrap_or_default();
    let evaluation = number(saved.evaluation);
    let time = number(saved.time.map(|time| time.as_secs_f64()));
    format!("{played}/{evaluation}/{time}")
        .trim_end_matches('/')
        .to_owned()
}

/// Formats a number with at least two decimals, and with more if they are needed to read the same number back.
fn decimals(value: f64) -> String {
    let (two, all) = (format!("{value:.2}"), value.to_string());
    if two.len() > all.len() { two } else { all }
}

fn result_text(result: Option<GameResult>) -> String {
    let Some(GameResult {
        winner,
        margin,
        how,
    }) = result
    else {
        return "?".to_owned();
    };
    let flag = match how {
        How::Void => return "?".to_owned(),
        How::Played => "",
        How::Resigned | How::Forfeit => ":r",
        How::OutOfTime => ":t",
        How::Agreed => ":s",
    };
    let margin = margin.unwrap_or(match winner {
        Some(Side::Black) => ALL_DISCS,
        Some(Side::White) => -ALL_DISCS,
        None => 0.0,
    });
    let sign = if margin < 0.0 { "-" } else { "+" };
    format!("{sign}{}{flag}", decimals(margin.abs()))
}

fn clocks_text(clocks: [Option<TimeControl>; 2]) -> String {
    match clocks {
        [Some(black), Some(white)] if black == white => format!("TI[{}]", clock_text(black)),
        clocks => {
            let each = clocks.into_iter().zip(["TB", "TW"]);
            each.filter_map(|(clock, name)| Some(format!("{name}[{}]", clock_text(clock?))))
                .collect()
        }
    }
}

fn clock_text(clock: TimeControl) -> String {
    let text = |time: Duration| {
        let seconds = time.as_secs() + u64::from(time.subsec_nanos() > 0);
        let (minutes, seconds) = (seconds / 60, seconds % 60);
        match (minutes / 60, minutes % 60) {
            (0, minutes) => format!("{minutes:02}:{seconds:02}"),
            (hours, minutes) => format!("{hours}:{minutes:02}:{seconds:02}"),
        }
    };
    let increment = match clock.increment {
        Duration::ZERO => String::new(),
        increment => text(increment),
    };
    format!("{}/{increment}/{}", text(clock.main), text(clock.grace))
}
