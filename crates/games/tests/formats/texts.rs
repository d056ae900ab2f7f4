//! Checks what the readers find in the texts of `tests/texts`.
//!
//! | Line | Meaning |
//! |---|---|
//! | `### words` | the subject of the next texts |
//! | `= NAME text` | replaces `{NAME}` in later lines by the text |
//! | `READER> text` | a text to read, in which `\n`, `\r`, `\t` and `\xff` are escapes for bytes |
//! | `! message` | the reader refuses the last text with this message; `!` alone: with any message |
//! | `== READER> text` | this text has the same result as the last text |
//! | any other | a fact that the reader finds in the last text |

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};

use games::formats::{self, SavedGame, ggf, offsets, psq, sgf, text, wthor};
use games::gomoku::{GomokuBoard, Rule};
use games::othello::{Position, moves_to, obf};
use games::{
    Board, Game, Move, Rules, Side, Square, canonical_hash, format_transcript, parse_transcript,
};

pub const MADE: wthor::Day = wthor::Day {
    year: 2026,
    month: 11,
    day: 21,
};

struct ReaderOutput {
    whole: String,
    facts: Vec<String>,
}

type ReaderResult = Result<ReaderOutput, String>;

#[test]
fn texts_are_read_as_their_files_say() {
    let wrong: String = files().iter().map(|path| wrong_lines(path)).collect();
    assert!(wrong.is_empty(), "{wrong}");
}

fn wrong_lines(path: &Path) -> String {
    let texts = fs::read_to_string(path).expect("text");
    let (names, mut wrong) = (names(&texts), String::new());
    // The outcome of the last text, and whether a line of the file checked it.
    let mut last: Option<(ReaderResult, bool)> = None;
    for (number, line) in (1..).zip(texts.lines()) {
        let line = filled(line, &names);
        let mut instead = None;
        if let Some((reader, text)) = reader_and_text(&line) {
            if let Some((_, false)) = last {
                instead = Some("the file has no line about the text before".to_owned());
            }
            last = Some((read(reader, &bytes(text)), false));
        } else if !line.is_empty() && !line.starts_with(['#', '=']) || line.starts_with("== ") {
            let (outcome, is_held) = last.as_mut().expect("a text before");
            *is_held = true;
            instead = (!is_so(outcome, &line)).then(|| match outcome {
                Ok(found) => found.facts.join("\n  "),
                Err(refusal) => format!("! {refusal}"),
            });
        }
        if let Some(instead) = instead {
            wrong += &format!("{}:{number}: {line}\n  {instead}\n", path.display());
        }
    }
    assert!(
        last.is_some_and(|(_, is_held)| is_held),
        "{}: the end is missing",
        path.display()
    );
    wrong
}

pub fn reads(reader: &str, text: &str, fact: &str) -> bool {
    is_so(&read(reader, text.as_bytes()), fact)
}

fn is_so(outcome: &ReaderResult, line: &str) -> bool {
    match (outcome, line.strip_prefix('!')) {
        (Err(refusal), Some(expected)) => expected.is_empty() || *refusal == expected.trim_start(),
        (Ok(found), None) => match line.strip_prefix("== ").and_then(reader_and_text) {
            Some((reader, text)) => {
                read(reader, &bytes(text)).is_ok_and(|other| other.whole == found.whole)
            }
            None => found.facts.iter().any(|fact| fact == line),
        },
        _ => false,
    }
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts");
    let files = fs::read_dir(folder).expect("a folder");
    files.map(|entry| entry.expect("a file").path()).collect()
}

pub fn defined(file: &str, name: &str) -> String {
    let path = files().into_iter().find(|path| path.ends_with(file));
    let texts = fs::read_to_string(path.expect(file)).expect("text");
    names(&texts)[&format!("{{{name}}}")].clone()
}

fn names(texts: &str) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for definition in texts.lines().filter_map(|line| line.strip_prefix("= ")) {
        let (name, text) = definition.split_once(' ').expect("a name and a text");
        names.insert(format!("{{{name}}}"), filled(text, &names));
    }
    names
}

fn filled(text: &str, names: &BTreeMap<String, String>) -> String {
    let fill = |text: String, (name, meaning): (&String, &String)| text.replace(name, meaning);
    names.iter().fold(text.to_owned(), fill)
}

fn reader_and_text(line: &str) -> Option<(&str, &str)> {
    let (reader, text) = line.split_once('>')?;
    let is_reader = reader.starts_with(|c: char| c.is_ascii_lowercase());
    is_reader.then(|| (reader, text.strip_prefix(' ').unwrap_or(text)))
}

fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let (byte, taken) = match (byte, after) {
            (b'\\', [b'n', ..]) => (b'\n', 2),
            (b'\\', [b'r', ..]) => (b'\r', 2),
            (b'\\', [b't', ..]) => (b'\t', 2),
            (b'\\', [b'x', high, low, ..]) => (hex(&[*high, *low])[0], 4),
            _ => (byte, 1),
        };
        bytes.push(byte);
        rest = &rest[taken..];
    }
    bytes
}

fn hex(digits: &[u8]) -> Vec<u8> {
    let digits: Vec<u8> = digits.iter().copied().filter(|&c| c != b' ').collect();
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).expect("hex"), 16);
    let bytes = digits.chunks(2).map(|pair| byte(pair).expect("hex"));
    bytes.collect()
}

/// Returns the files of a database: games, players and tournaments in hexadecimal, with a `/` between them.
pub fn base(text: &str) -> wthor::WthorFiles {
    let mut files = text.split('/').map(|file| hex(file.as_bytes()));
    let mut next = || files.next().unwrap_or_default();
    wthor::WthorFiles {
        games: next(),
        players: next(),
        tournaments: next(),
    }
}

fn read(reader: &str, bytes: &[u8]) -> ReaderResult {
    let mut words = reader.split(' ');
    let reader = words.next().expect("a reader");
    let text = || str::from_utf8(bytes).expect("text");
    let game = match words.next() {
        None => Game::OTHELLO,
        Some(name) => {
            let rest: Vec<&str> = words.collect();
            let size = rest.iter().find_map(|word| word.parse().ok());
            let rules = rest.iter().find(|word| word.parse::<u8>().is_err());
            Game::new(name, rules.copied(), size).expect(reader)
        }
    };
    match reader {
        "ggf" => saved(ggf::parse(text()).map(one), Some(ggf_writes)),
        "ggf*" => saved(ggf::read(text()), Some(ggf_writes)),
        "sgf" => saved(sgf::parse(text()).map(one), None),
        "sgf*" => saved(sgf::read(text()), None),
        "psq" => saved(psq::parse(text()).map(one), None),
        "wthor" => saved(wthor::read(&base(text())), Some(wthor_writes)),
        "any" => saved(
            formats::read(bytes)
                .ok_or("no format")
                .and_then(|read| read.map_err(|_| "it is broken")),
            None,
        ),
        "offsets" => outcome(offsets::parse(game, text()), |moves| {
            vec![
                format!("moves {}", format_transcript(moves)),
                format!("plies {}", moves.len()),
            ]
        }),
        "transcript" => outcome(parse_transcript(game, text()), |(moves, board)| {
            played(game, moves, board)
        }),
        "obf" => outcome(obf::read(text()), |problems| obf_facts(problems)),
        "origin" => {
            let board = obf::read(text()).expect("a position")[0].board;
            outcome(moves_to(&board), |_| Vec::new())
        }
        "row" => outcome(Ok::<_, String>(text()), |row| {
            let wins = Rule::ALL.into_iter().filter(|&rule| wins_in(row, rule));
            let names: Vec<&str> = wins.map(Rule::name).collect();
            vec![format!("wins by [{}]", names.join(" "))]
        }),
        "square" => outcome(text().parse::<Square>(), |_| Vec::new()),
        "decode" => outcome(text::decode(bytes), |text| {
            vec![format!(
                "text [{}]",
                text.replace('\n', "\\n").replace('\r', "\\r")
            )]
        }),
        reader => panic!("no reader {reader}"),
    }
}

/// Returns true if, in a row such as `XXXX*.... X`, a stone of the side at the end makes a winning line on `*`.
fn wins_in(row: &str, rule: Rule) -> bool {
    let (row, side) = row.split_once(' ').expect("a row and a side");
    let side_of = |symbol: &str| {
        Side::BOTH
            .into_iter()
            .find(|side| symbol.starts_with(side.symbol()))
    };
    let mut board = GomokuBoard::new(row.len() as u8, rule);
    for column in 0..row.len() {
        board.set(Square::new(column as u8, 4), side_of(&row[column..]));
    }
    let gap = row.find('*').expect("a gap") as u8;
    board.wins(Square::new(gap, 4), side_of(side).expect("a side"))
}

fn one(game: SavedGame) -> Vec<SavedGame> {
    vec![game]
}

fn outcome<T: Debug, E: ToString>(
    read: Result<T, E>,
    facts: impl FnOnce(&T) -> Vec<String>,
) -> ReaderResult {
    let found = |read| ReaderOutput {
        whole: format!("{read:?}"),
        facts: facts(&read),
    };
    read.map(found).map_err(|error| error.to_string())
}

/// Writes games, checks that they are read back equal if the format allows it, and returns a fact.
type Writes = fn(&[SavedGame]) -> String;

fn ggf_writes(games: &[SavedGame]) -> String {
    let written: String = games.iter().map(|game| ggf::write(game).unwrap()).collect();
    assert_eq!(ggf::read(&written).as_deref(), Ok(games));
    "is read back".to_owned()
}

fn wthor_writes(games: &[SavedGame]) -> String {
    let files = wthor::write(games, MADE, 2026).unwrap();
    let files = [files.games, files.players, files.tournaments].map(|file| {
        let bytes: Vec<String> = file.iter().map(|byte| format!("{byte:02x}")).collect();
        bytes.join(" ")
    });
    format!("writes {}", files.join("/"))
}

/// Returns the facts about the first game, and the number of games.
fn saved<E: ToString>(read: Result<Vec<SavedGame>, E>, writes: Option<Writes>) -> ReaderResult {
    outcome(read, |games| {
        let mut facts = vec![format!("games {}", games.len())];
        facts.extend(writes.map(|writes| writes(games)));
        facts.extend(games.first().map(game_facts).into_iter().flatten());
        facts
    })
}

fn game_facts(saved: &SavedGame) -> Vec<String> {
    let (start, end) = (&saved.start, saved.board());
    let moves: Vec<Move> = saved.plies().collect();
    let [black, white] = end.counts().map(i32::from);
    let all = i32::from(end.size()).pow(2);
    let score = black - white + (all - black - white) * (black - white).signum();
    let mut facts = vec![
        format!("game {}", start.game()),
        format!("moves {}", format_transcript(&moves)),
        format!("plies {}", moves.len()),
        format!("players {}", saved.players.join(" | ")),
        format!("event {}", saved.event),
        format!("date {}", saved.date),
        format!("starts with {}, {:?}", start.side_to_move(), start.counts()),
        format!("starts as usual: {}", *start == start.game().start()),
        format!("rows {}", start.rows().join("/")),
        format!("ends with {black} and {white}"),
        format!("has ended: {}, by {score}", end.ending().is_some()),
        match saved.result {
            None => "no result".to_owned(),
            Some(result) => {
                let winner = result.winner.map_or("nobody", Side::word);
                let margin = result.margin.map(|margin| format!(" by {margin}"));
                format!(
                    "won by {winner}{}, {:?}",
                    margin.unwrap_or_default(),
                    result.how
                )
            }
        },
    ];
    for (side, clock) in Side::BOTH.into_iter().zip(saved.clocks) {
        facts.push(clock.map_or(format!("{side} has no clock"), |clock| {
            let times = [clock.main, clock.increment, clock.grace].map(|time| time.as_secs());
            format!("{side} has {times:?} s")
        }));
    }
    for (number, ply) in (1..).zip(&saved.moves) {
        facts.push(format!("ply {number} is {}", ply.played));
        facts.push(format!("ply {number} took {:?}", ply.time));
        facts.push(format!("ply {number} saw {:?}", ply.evaluation));
    }
    facts
}

fn played(game: Game, moves: &[Move], board: &Board) -> Vec<String> {
    let mut facts = vec![
        format!("moves {}", format_transcript(moves)),
        format!("hash {:#018x}", canonical_hash(board)),
    ];
    match board {
        Board::Othello(end) => {
            // The moves may have another order.
            let way = moves_to(end).map(|moves| format_transcript(&moves));
            let reached = way.map(|way| parse_transcript(game, &way).expect("legal").1);
            facts.push(format!("has an origin: {}", reached.as_ref() == Ok(board)));
        }
        Board::Gomoku(end) => {
            let squares = (0..usize::from(game.size()).pow(2))
                .map(|index| Square::from_index(index, game.size()));
            facts.extend(squares.map(|square| {
                let stones = end.winning_stones(square);
                let names: Vec<String> = stones.iter().map(Square::to_string).collect();
                format!("{square} wins by [{}]", names.join(" "))
            }));
        }
        Board::Other(..) => {}
    }
    facts
}

fn obf_facts(problems: &[obf::ObfPosition]) -> Vec<String> {
    let mut facts = vec![format!("positions {}", problems.len())];
    let written: Vec<String> = problems.iter().map(ToString::to_string).collect();
    if obf::read(&written.join("\n")).as_deref() == Ok(problems) {
        facts.push("is read back".to_owned());
    }
    for problem in problems {
        let (name, position) = (&problem.name, problem.board.position());
        let (empties, moves) = (position.empties().count_ones(), problem.moves.len());
        facts.push(format!(
            "{name}: {empties} empties, {moves} moves, best {:?}",
            problem.best_score()
        ));
        if let Some(ending) = problem.board.ending() {
            let winner = ending.winner.map_or("nobody", Side::word);
            let counts = problem.board.counts();
            facts.push(format!("ended, won by {winner} with {counts:?}"));
        }
        if position == Position::START {
            facts.push("the start".to_owned());
        }
        let moves = (1..).zip(&problem.moves);
        facts.extend(moves.map(|(number, one)| format!("{name}: move {number} is {}", one.played)));
    }
    facts
}
