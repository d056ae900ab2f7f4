//! `failures/<game>/`: the messages and the standard error of the bots of a failed game, for their
//! authors.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use games::Side;

use referee::bot::read_regular;
use referee::record::{GameId, GameRecord, harmless};

/// The most bytes of a stored standard error: its tail of 64 KiB is longer where it was not UTF-8.
const LONGEST: u64 = 1 << 20;

/// What one side wrote in a game that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The exact lines of the game: `> ` to the bot, `< ` from it.
    pub log: Vec<u8>,
    /// The end of its standard error.
    pub stderr: String,
}

impl Evidence {
    /// Its size in bytes.
    pub fn bytes(&self) -> usize {
        self.log.len() + self.stderr.len()
    }
}

/// Writes the folder of a failed game under the folder of its run.
///
/// `seeds` are those that the bots were given, black's first.
pub fn write(
    run: &Path,
    record: &GameRecord,
    seeds: [u64; 2],
    said: &[Evidence; 2],
) -> io::Result<()> {
    let folder = folder(run, record.id);
    fs::create_dir_all(&folder)?;
    fs::write(
        folder.join("what-happened.txt"),
        summary(run, record, seeds),
    )?;
    write_messages(&folder, said)
}

/// Writes the messages of a game that is not to be forgotten, whether it failed or not, to `logs`.
pub fn log(run: &Path, record: &GameRecord, said: &[Evidence; 2]) -> io::Result<()> {
    let folder = run.join("logs").join(record.id.0.to_string());
    fs::create_dir_all(&folder)?;
    write_messages(&folder, said)
}

fn write_messages(folder: &Path, said: &[Evidence; 2]) -> io::Result<()> {
    for side in Side::BOTH {
        let said = &said[side.index()];
        let lines = folder.join(format!("{side}.lines.txt"));
        fs::write(lines, for_terminals(&said.log))?;
        fs::write(
            folder.join(stderr_name(side)),
            for_terminals(said.stderr.as_bytes()),
        )?;
    }
    Ok(())
}

/// The lines of a bot, which people will print: control characters and marks that change the order of
/// text are escaped, and bytes that are not UTF-8. Ordinary lines stay as they are.
fn for_terminals(said: &[u8]) -> String {
    let mut text = String::with_capacity(said.len());
    for chunk in said.utf8_chunks() {
        for line in chunk.valid().split_inclusive('\n') {
            let (line, end) = line
                .strip_suffix('\n')
                .map_or((line, ""), |line| (line, "\n"));
            text += &harmless(line);
            text += end;
        }
        for byte in chunk.invalid() {
            text += &format!("\\x{byte:02x}");
        }
    }
    text
}

/// Removes the folder that an earlier run wrote for a game that was void then and counts now.
pub fn forget(run: &Path, game: GameId) -> io::Result<()> {
    match fs::remove_dir_all(folder(run, game)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        removed => removed?,
    }
    // It stays if it has the folders of other games.
    let _ = fs::remove_dir(run.join("failures"));
    Ok(())
}

/// The end of the standard error of the bot of `side`, if it was stored.
pub fn stderr(run: &Path, game: GameId, side: Side) -> String {
    let path = folder(run, game).join(stderr_name(side));
    let text = read_regular(&path, LONGEST).unwrap_or_default();
    String::from_utf8_lossy(&text).into_owned()
}

fn stderr_name(side: Side) -> String {
    format!("{side}.stderr.txt")
}

fn folder(run: &Path, game: GameId) -> PathBuf {
    run.join("failures").join(game.0.to_string())
}

fn summary(run: &Path, record: &GameRecord, seeds: [u64; 2]) -> String {
    let mut text = format!(
        "game {}: {} (black) against {} (white), {}\n",
        record.id.0, record.players[0], record.players[1], record.game
    );
    for side in Side::BOTH {
        if let Some(fault) = record.verdict.fault_of(side) {
            let name = record.player(side);
            let _ = writeln!(
                text,
                "{name} ({side}) is at fault: {}: {fault}",
                fault.word()
            );
        }
    }
    if let referee::record::Verdict::Void { why } = &record.verdict {
        let _ = writeln!(text, "void: {why}");
    }
    let (game, run) = (record.id.0, run.display());
    let [black, white] = seeds;
    let _ = writeln!(
        text,
        "\nseeds: {black} (black), {white} (white)\n\
         the same question again: arena ask {run}/{game}\n\
         the whole game: arena replay {run}/{game}\n\
         what each move cost: arena analyze {run}/{game}"
    );
    let mut board = record.start();
    for ply in &record.plies {
        if games::Rules::play(&mut board, ply.played).is_err() {
            break;
        }
    }
    let moves = games::format_transcript(&record.moves());
    let _ = write!(text, "\nmoves: {moves}\n\n{board}\n");
    text
}
