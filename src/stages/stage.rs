//! A stage: a position with its known result, and the two file formats of stages.
//!
//! [`read`] recognises the format by the symbols on the board. Our format, which `Display` writes, has rows of `.`,
//! `X` and `O`, with or without coordinates and spaces, after lines such as `# rules: freestyle`. A course's format
//! has fifteen lines of fifteen entries: `#` empty, `1` black, `0` white. Its other lines that begin with `#` are
//! comments. Black is to move, unless a line `# moves: …` has the moves that lead to the position. An Othello stage
//! needs this line.

use message::{Message, message};
use std::fmt;
use std::ops::Range;

use games::gomoku::{GomokuBoard, Rule};
use games::{Board, Game, Move, Rules, Side, Square, parse_opening};
use referee::problem;
use referee::problem::Problem;
use referee::record::harmless;

const SIZE: u8 = 15;

/// A position that the side to move must win, or must not lose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    pub name: String,
    pub board: Board,
    /// The moves that lead to the position; empty if the stones were set up.
    pub moves: Vec<Move>,
    pub win: Option<Win>,
    pub answer: Option<Answer>,
    pub found: Option<String>,
}

/// The proven result of a stage, if it is not a forced win in Gomoku.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub proof: Proof,
    pub line: Vec<Move>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Gomoku: a wrong move allows the opponent a forced win in this number of plies.
    Hold(u32),
    /// Othello: the final lead in discs of the side to move, with perfect play of both sides.
    Discs(i32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    /// The number of moves of both sides in the shortest win found.
    pub plies: u32,
    pub means: Option<Means>,
    /// The winning line against the longest defence, if the file has one.
    pub line: Vec<Square>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    Fours,
    /// Fours and open threes together win; fours alone do not.
    Threats,
    /// Fours alone win, but with open threes the win is shorter.
    Either,
}

impl Means {
    pub const ALL: [Means; 3] = [Means::Fours, Means::Threats, Means::Either];

    pub const fn word(self) -> &'static str {
        match self {
            Means::Fours => "fours",
            Means::Threats => "threats",
            Means::Either => "either",
        }
    }
}

impl Stage {
    /// The minimum number of moves for the side to move. Half of the empty squares is still the upper limit.
    const LEAST_MOVES: usize = 10;

    pub fn game(&self) -> Game {
        self.board.game().without_opening()
    }

    pub fn attacker(&self) -> Side {
        self.board.side_to_move()
    }

    /// Returns whether a draw also solves the stage.
    pub fn may_be_drawn(&self) -> bool {
        match self.answer.as_ref().map(|answer| answer.proof) {
            Some(Proof::Hold(_)) => true,
            Some(Proof::Discs(lead)) => lead <= 0,
            None => false,
        }
    }

    /// Returns the stones, row by row from a1: `X` black, `O` white, `.` none.
    pub fn stones(&self) -> String {
        let size = self.board.size();
        (0..usize::from(size) * usize::from(size))
            .map(|index| self.board.at(Square::from_index(index, size)))
            .map(|stone| stone.map_or('.', Side::symbol))
            .collect()
    }

    /// Returns the winner's number of moves in the shortest known win. In a `Hold` stage, the winner is the opponent.
    pub fn shortest(&self) -> Option<usize> {
        let plies = match self.answer.as_ref().map(|answer| answer.proof) {
            Some(Proof::Hold(plies)) => Some(plies),
            _ => self.win.as_ref().map(|win| win.plies),
        };
        plies.map(|plies| plies.div_ceil(2) as usize)
    }

    /// Returns the most moves for the side to move: twice the shortest known win but at least ten, and at most half of
    /// the empty squares. Without a known win, returns half of the empty squares. In Othello, returns the number of
    /// empty squares: the opponent may have to pass every time.
    pub fn most_moves(&self) -> usize {
        if self.game().family().has_passes() {
            return usize::from(self.board.empties());
        }
        let room = usize::from(self.board.empties()).div_ceil(2);
        self.shortest().map_or(room, |shortest| {
            (2 * shortest).max(Stage::LEAST_MOVES).min(room)
        })
    }

    /// Returns the moves that lead to the position. Colours alternate; white passes when all its stones are placed.
    pub fn given(&self) -> Vec<Move> {
        if !self.moves.is_empty() {
            return self.moves.clone();
        }
        let of = |side| {
            let size = self.board.size();
            (0..usize::from(size) * usize::from(size))
                .map(move |index| Square::from_index(index, size))
                .filter(move |&square| self.board.at(square) == Some(side))
        };
        let mut white = of(Side::White);
        of(Side::Black)
            .flat_map(|black| {
                [
                    Move::Place(black),
                    white.next().map_or(Move::Pass, Move::Place),
                ]
            })
            .collect()
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# name: {}", self.name)?;
        let game = self.game();
        if Rule::of(game).is_some() {
            writeln!(f, "# rules: {}", game.rules())?;
            if game.size() != SIZE {
                writeln!(f, "# size: {}", game.size())?;
            }
        } else {
            writeln!(f, "# game: {}", game.name())?;
        }
        writeln!(f, "# to move: {}", self.attacker())?;
        if let Some(win) = &self.win {
            write!(f, "# win: {} plies", win.plies)?;
            if let Some(means) = win.means {
                write!(f, ", {}", means.word())?;
            }
            writeln!(f)?;
            if !win.line.is_empty() {
                let line: Vec<String> = win.line.iter().map(Square::to_string).collect();
                writeln!(f, "# line: {}", line.join(" "))?;
            }
        }
        if let Some(answer) = &self.answer {
            match answer.proof {
                Proof::Hold(plies) => writeln!(f, "# hold: {plies} plies")?,
                Proof::Discs(lead) => writeln!(f, "# score: {lead:+}")?,
            }
            write_moves(f, "line", &answer.line)?;
        }
        write_moves(f, "moves", &self.moves)?;
        if let Some(found) = &self.found {
            writeln!(f, "# found: {found}")?;
        }
        // Leaves out the board's last line, which names the side to move.
        let drawn = self.board.to_string();
        for row in drawn.lines().take(usize::from(self.board.size()) + 1) {
            writeln!(f, "{}", row.trim_end())?;
        }
        Ok(())
    }
}

fn write_moves(f: &mut fmt::Formatter<'_>, key: &str, moves: &[Move]) -> fmt::Result {
    if moves.is_empty() {
        return Ok(());
    }
    let words: Vec<String> = moves.iter().map(Move::to_string).collect();
    writeln!(f, "# {key}: {}", words.join(" "))
}

struct StageSymbols {
    /// The symbols for an empty point, black and white.
    symbols: [char; 3],
    legend: &'static str,
}

const OURS: StageSymbols = StageSymbols {
    symbols: ['.', 'X', 'O'],
    legend: ". is empty, X is black, O is white",
};
const COURSE: StageSymbols = StageSymbols {
    symbols: ['#', '1', '0'],
    legend: "# is empty, 1 is black, 0 is white",
};

impl StageSymbols {
    fn stone(&self, (word, at): &Placed<'_>) -> Result<Option<Side>, Problem> {
        let found = self.symbols.iter().position(|&symbol| {
            let mut written = word.chars();
            written.next() == Some(symbol) && written.next().is_none()
        });
        let symbol = found.ok_or_else(|| {
            let unknown = problem!("unknown symbol {word:?}");
            unknown.help(self.legend).at(at.clone())
        })?;
        Ok([None, Some(Side::Black), Some(Side::White)][symbol])
    }
}

/// A part of the text, and its position in bytes.
type Placed<'a> = (&'a str, Range<usize>);

pub fn read(text: &str, name: &str) -> Result<Stage, Problem> {
    let course = is_of_course(text);
    let format = if course { &COURSE } else { &OURS };
    let mut header = Header::default();
    let mut rows: Vec<Vec<Placed<'_>>> = Vec::new();
    for (line, start) in lines(text) {
        let words = words(line, start);
        if words.is_empty() || !course && is_letters(&words) {
            continue;
        }
        match remark(line, course) {
            Some(remark) => header.read(remark, start + line.len() - remark.len())?,
            None => rows.push(entries(&words, format)),
        }
    }
    let game = header.game()?;
    let stones = stones(&rows, game.size(), format)?;
    let (moves, board) = match &header.moves {
        Some((moves, at)) => {
            after_moves(game, moves, &stones).map_err(|problem| problem.at(at.clone()))?
        }
        None => (Vec::new(), position(game, &stones)?),
    };
    header.check_side(&board)?;
    let line = header.line;
    let squares = line.iter().filter_map(|one| one.square()).collect();
    Ok(Stage {
        name: header.name.unwrap_or_else(|| harmless(name)),
        board,
        moves,
        win: header.win.map(|win| Win {
            line: squares,
            ..win
        }),
        answer: header.proof.map(|proof| Answer { proof, line }),
        found: header.found,
    })
}

/// Returns whether the format is a course's. In our files, the symbols of a course are never the majority.
fn is_of_course(text: &str) -> bool {
    let single = |word: &str, format: &StageSymbols| {
        word.chars().all(|symbol| format.symbols.contains(&symbol))
    };
    let count = |format| {
        let words = text.split_whitespace();
        let words = words.filter(|word| single(word, format));
        words.map(str::len).sum::<usize>()
    };
    count(&COURSE) > count(&OURS)
}

/// Returns the text after the `#` of a comment; `None` for a row of the board. In a course's format, a row may also
/// begin with `#`. In this format, a line with more board symbols than other letters is a row, so a wrong symbol in a
/// row is an error instead of being ignored.
fn remark(line: &str, course: bool) -> Option<&str> {
    let line = line.trim_start_matches(is_space);
    let rest = line.strip_prefix('#')?;
    let is_symbol = |letter: &char| COURSE.symbols.contains(letter);
    let symbols = rest.chars().filter(is_symbol).count();
    let others = rest.chars().filter(|c| !is_space(*c)).count() - symbols;
    (!course || others >= symbols).then_some(rest)
}

/// Treats a byte order mark as a space.
fn is_space(letter: char) -> bool {
    letter.is_whitespace() || letter == '\u{feff}'
}

fn lines(text: &str) -> impl Iterator<Item = (&str, usize)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((line, start))
    })
}

fn words(line: &str, start: usize) -> Vec<Placed<'_>> {
    line.split(is_space)
        .filter(|word| !word.is_empty())
        .map(|word| {
            let at = start + (word.as_ptr() as usize - line.as_ptr() as usize);
            (word, at..at + word.len())
        })
        .collect()
}

/// Returns whether this is the line of column letters above a drawn board.
fn is_letters(words: &[Placed<'_>]) -> bool {
    (b'a'..)
        .zip(words)
        .all(|(letter, (word, _))| word.as_bytes() == [letter])
}

/// Returns the entries of a row, without the row number. A word has one symbol or several.
fn entries<'a>(words: &[Placed<'a>], format: &StageSymbols) -> Vec<Placed<'a>> {
    let numbered =
        format.symbols != COURSE.symbols && words.len() > 1 && words[0].0.parse::<u8>().is_ok();
    let mut entries = Vec::new();
    for (word, at) in &words[usize::from(numbered)..] {
        let known = |symbol| format.symbols.contains(&symbol);
        if word.chars().all(known) {
            // Every symbol is one byte.
            let each = (0..word.len()).map(|index| {
                let start = at.start + index;
                (&word[index..=index], start..start + 1)
            });
            entries.extend(each);
        } else {
            entries.push((*word, at.clone()));
        }
    }
    entries
}

type Stone = (Square, Side, Range<usize>);

fn stones(
    rows: &[Vec<Placed<'_>>],
    size: u8,
    format: &StageSymbols,
) -> Result<Vec<Stone>, Problem> {
    let wanted = usize::from(size);
    let whole = |row: &[Placed<'_>]| row[0].1.start..row[row.len() - 1].1.end;
    let Some(last) = rows.last() else {
        let [ours, course] = [OURS, COURSE].map(|format| Message::from(format.legend));
        return Err(Problem::new("the file has no board").help(message!(
            "write {size} rows of {size} entries: {ours}; or, as courses do, {course}"
        )));
    };
    let mut stones = Vec::new();
    for (row, entries) in (0..size).zip(rows) {
        let sides = entries.iter().map(|entry| format.stone(entry));
        let sides = sides.collect::<Result<Vec<_>, _>>()?;
        if entries.len() != wanted {
            let (row, found) = (row + 1, entries.len());
            let surplus = entries.get(wanted..).filter(|surplus| !surplus.is_empty());
            return Err(problem!("row {row} has {found} entries, expected {size}")
                .at(whole(surplus.unwrap_or(entries))));
        }
        for ((column, side), (_, at)) in (0..size).zip(sides).zip(entries) {
            stones.extend(side.map(|side| (Square::new(column, row), side, at.clone())));
        }
    }
    if rows.len() != wanted {
        let at = whole(rows.get(wanted).unwrap_or(last));
        return Err(problem!("{} rows, expected {size}", rows.len()).at(at));
    }
    Ok(stones)
}

/// Plays the moves that lead to the position. Fails if the result differs from the drawn position.
fn after_moves(game: Game, moves: &str, stones: &[Stone]) -> Result<(Vec<Move>, Board), Problem> {
    let (moves, board) = parse_opening(game, moves).map_err(Problem::new)?;
    let drawn: Vec<(Square, Side)> = stones
        .iter()
        .map(|&(square, side, _)| (square, side))
        .collect();
    if board.stones() != drawn {
        let problem = Problem::new("the moves lead to another position than the drawn one");
        return Err(problem.help("correct the moves or the board"));
    }
    if board.ending().is_some() || board.must_pass() {
        return Err(Problem::new("after the moves there is nothing to play"));
    }
    Ok((moves, board))
}

/// Returns the position. Fails if white has more stones than black, a side has won, or the board is full.
fn position(game: Game, stones: &[Stone]) -> Result<Board, Problem> {
    let Some(rule) = Rule::of(game) else {
        let problem = problem!("a stage of {} needs its moves", game.name());
        return Err(problem.help("write them as in: # moves: f5 d6 c3"));
    };
    let mut board = GomokuBoard::new(game.size(), rule);
    for (square, side, _) in stones {
        board.set(*square, Some(*side));
    }
    let [black, white] = board.counts();
    let of = |side| stones.iter().filter(move |(_, of, _)| *of == side);
    let at = |stone: Option<&Stone>| stone.map_or(0..0, |(_, _, at)| at.clone());
    if white > black {
        let surplus = of(Side::White).nth(usize::from(black));
        return Err(
            problem!("too many white stones: {white} white, {black} black")
                .help("black is to move, so it has as many stones as white, or more")
                .at(at(surplus)),
        );
    }
    if let Some(winner) = board.winner() {
        let stone = of(winner).find(|(square, ..)| !board.winning_stones(*square).is_empty());
        return Err(problem!("{winner} has won already")
            .help("this stone is part of a winning line")
            .at(at(stone)));
    }
    if board.empties() == 0 {
        let what = "the board is full: there is nothing to play";
        return Err(Problem::new(what).at(at(stones.last())));
    }
    Ok(Board::Gomoku(board))
}

#[derive(Default)]
struct Header {
    name: Option<String>,
    game: Option<(String, Range<usize>)>,
    to_move: Option<(String, Range<usize>)>,
    moves: Option<(String, Range<usize>)>,
    proof: Option<Proof>,
    rules: Option<(String, Range<usize>)>,
    size: Option<(i64, Range<usize>)>,
    win: Option<Win>,
    line: Vec<Move>,
    found: Option<String>,
}

impl Header {
    /// Reads the text after a line's `#`, which begins at byte `start`. Text without a known key is a comment.
    fn read(&mut self, comment: &str, start: usize) -> Result<(), Problem> {
        let Some((key, value)) = comment.split_once(':') else {
            return Ok(());
        };
        let offset = key.len() + 1 + (value.len() - value.trim_start().len());
        let value = value.trim();
        let at = start + offset..start + offset + value.len();
        match key.trim() {
            "name" => self.name = Some(harmless(value)),
            "found" => self.found = Some(harmless(value)),
            "rules" => self.rules = Some((value.to_owned(), at)),
            "size" => {
                let size = value
                    .parse()
                    .map_err(|_| problem!("size {value:?} is not a number").at(at.clone()))?;
                self.size = Some((size, at));
            }
            "game" => self.game = Some((value.to_owned(), at)),
            "moves" => self.moves = Some((value.to_owned(), at)),
            "to move" => self.to_move = Some((value.to_owned(), at)),
            "hold" => {
                let plies = value.strip_suffix("plies").unwrap_or(value).trim().parse();
                let bad = |_| problem!("cannot read {value:?}").help("write it as in \"7 plies\"");
                self.proof = Some(Proof::Hold(plies.map_err(bad).map_err(|bad| bad.at(at))?));
            }
            "score" => {
                let bad = |_| problem!("cannot read {value:?}").help("write it as in \"+4\"");
                let lead = value.parse().map_err(bad).map_err(|bad| bad.at(at))?;
                self.proof = Some(Proof::Discs(lead));
            }
            "win" => self.win = Some(win(value).map_err(|problem| problem.at(at))?),
            "line" => {
                let moves = value.split_whitespace().map(str::parse::<Move>);
                self.line = moves
                    .collect::<Result<_, _>>()
                    .map_err(|error| Problem::new(error).at(at))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn check_side(&self, board: &Board) -> Result<(), Problem> {
        let Some((side, at)) = &self.to_move else {
            return Ok(());
        };
        if *side == board.side_to_move().word() {
            return Ok(());
        }
        let help = if self.moves.is_some() {
            "after the moves, the other side is to move"
        } else {
            "black is to move in a stage without # moves: swap the colours"
        };
        Err(problem!("{side:?} to move").help(help).at(at.clone()))
    }

    fn game(&self) -> Result<Game, Problem> {
        let rules = self.rules.as_ref().map(|(rules, _)| rules.as_str());
        let name = self
            .game
            .as_ref()
            .map_or("gomoku", |(name, _)| name.as_str());
        let size = self.size.as_ref().map(|(size, _)| *size);
        let size = size.or((name == "gomoku").then_some(SIZE.into()));
        Game::new(name, rules, size).map_err(|error| {
            let at = match error {
                games::UnknownGame::Size { .. } => self.size.as_ref().map(|(_, at)| at.clone()),
                games::UnknownGame::Name { .. } => self.game.as_ref().map(|(_, at)| at.clone()),
                _ => self.rules.as_ref().map(|(_, at)| at.clone()),
            };
            Problem::new(&error).at(at.unwrap_or_default())
        })
    }
}

/// Parses a win such as `9 plies, fours`.
fn win(text: &str) -> Result<Win, Problem> {
    let bad = || {
        problem!("cannot read the win {text:?}")
            .help("write it as in \"9 plies, fours\" or \"9 plies, threats\"")
    };
    let (plies, means) = text.split_once(',').unwrap_or((text, ""));
    let number = plies.trim().strip_suffix("plies").ok_or_else(bad)?;
    let plies: u32 = number.trim().parse().map_err(|_| bad())?;
    let means = match means.trim() {
        "" => None,
        word => {
            let known = Means::ALL.into_iter().find(|means| means.word() == word);
            Some(known.ok_or_else(bad)?)
        }
    };
    if plies.is_multiple_of(2) {
        return Err(
            bad().help("black makes the first and the last move, so the number of plies is odd")
        );
    }
    Ok(Win {
        plies,
        means,
        line: Vec::new(),
    })
}

#[cfg(test)]
mod tests;
