//! Saves finished games, and evidence for authors: `failures/<game>/` has the messages and errors of failed games.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use games::Side;
use referee::bot::read_regular;
use referee::record::{GameId, GameRecord, Verdict, harmless};
use tournament::Tournament;

use super::RunError;

/// Writes the messages of a finished game. Call this before its record is saved: so a saved game has its evidence even
/// after a crash.
pub fn keep(
    run: &Path,
    tournament: &Tournament,
    record: &GameRecord,
    evidence: Option<&[BotEvidence; 2]>,
) -> Result<(), RunError> {
    let failed = evidence.filter(|_| needs_evidence(&record.verdict));
    let kept = match failed {
        Some(evidence) => write(run, record, tournament.seeds_of(record), evidence),
        None => forget(run, record.id),
    };
    let kept = kept.and_then(|()| match evidence.filter(|_| tournament.log) {
        Some(evidence) => log(run, record, evidence),
        None => Ok(()),
    });
    kept.map_err(RunError::system(
        "cannot save the messages of a failed game",
    ))
}

pub(super) fn needs_evidence(verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Rules { .. } | Verdict::Resigned(_) | Verdict::Adjudicated { .. } => false,
        Verdict::Forfeit { .. } | Verdict::BothFailed(_) | Verdict::Void { .. } => true,
    }
}

/// The limit for reading a file of standard error. Escapes make the file longer than the bot's last 64 KiB.
const LONGEST: u64 = 1 << 20;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotEvidence {
    /// The exact lines of the game: `> ` to the bot, `< ` from it.
    pub log: Vec<u8>,
    pub stderr: String,
}

impl BotEvidence {
    pub fn bytes(&self) -> usize {
        self.log.len() + self.stderr.len()
    }
}

/// Writes the folder of a failed game in the folder of its run. `seeds` are the bots' seeds, black's first.
pub fn write(
    run: &Path,
    record: &GameRecord,
    seeds: [u64; 2],
    both: &[BotEvidence; 2],
) -> io::Result<()> {
    let folder = folder(run, record.id);
    fs::create_dir_all(&folder)?;
    fs::write(
        folder.join("what-happened.txt"),
        summary(run, record, seeds),
    )?;
    write_messages(&folder, both)
}

pub fn log(run: &Path, record: &GameRecord, both: &[BotEvidence; 2]) -> io::Result<()> {
    let folder = run.join("logs").join(record.id.0.to_string());
    fs::create_dir_all(&folder)?;
    write_messages(&folder, both)
}

fn write_messages(folder: &Path, both: &[BotEvidence; 2]) -> io::Result<()> {
    for side in Side::BOTH {
        let evidence = &both[side.index()];
        let lines = folder.join(format!("{side}.lines.txt"));
        fs::write(lines, for_terminals(&evidence.log))?;
        fs::write(
            folder.join(stderr_name(side)),
            for_terminals(evidence.stderr.as_bytes()),
        )?;
    }
    Ok(())
}

/// Escapes characters that could do harm in a terminal: controls, marks of text direction, and invalid UTF-8.
fn for_terminals(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
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

pub fn forget(run: &Path, game: GameId) -> io::Result<()> {
    match fs::remove_dir_all(folder(run, game)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        removed => removed?,
    }
    // This fails if the folder has other games, which are kept.
    let _ = fs::remove_dir(run.join("failures"));
    Ok(())
}

pub fn stderr(run: &Path, game: GameId, side: Side) -> String {
    let path = folder(run, game).join(stderr_name(side));
    let text = read_regular(&path, LONGEST).unwrap_or_default();
    String::from_utf8_lossy(&text).into_owned()
}

fn stderr_name(side: Side) -> String {
    format!("{side}.stderr.txt")
}

pub fn folder(run: &Path, game: GameId) -> PathBuf {
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

#[cfg(test)]
mod tests {
    use games::Game;
    use referee::record::Fault;
    use tournament::Format;

    use super::*;

    fn game(verdict: Verdict) -> GameRecord {
        GameRecord::new(GameId(3), Game::OTHELLO, ["mine", "other"], verdict)
    }

    fn tournament() -> Tournament {
        Tournament::new("quick", Game::OTHELLO, Format::Match, 2, Vec::new())
    }

    #[test]
    fn evidence_that_cannot_be_written_is_an_error_and_is_written_again() {
        let run = tempfile::tempdir().expect("a temporary folder");
        let lost = game(Verdict::Forfeit {
            by: Side::Black,
            fault: Fault::ClosedOutput,
        });
        let both = <[BotEvidence; 2]>::default();
        let failures = run.path().join("failures");
        std::fs::write(&failures, "a file stands in the way").expect("a file");
        keep(run.path(), &tournament(), &lost, Some(&both)).expect_err("no folder");
        std::fs::remove_file(&failures).expect("it is there");
        keep(run.path(), &tournament(), &lost, Some(&both)).expect("both are kept");
        assert!(failures.join("3/what-happened.txt").is_file());
    }

    #[test]
    fn the_evidence_of_a_void_game_is_deleted_once_it_is_played() {
        let run = tempfile::tempdir().expect("a temporary folder");
        let why = "the machine stood still".into();
        let both = <[BotEvidence; 2]>::default();
        let void = game(Verdict::Void { why });
        keep(run.path(), &tournament(), &void, Some(&both)).expect("both are kept");
        assert!(run.path().join("failures/3").is_dir());
        let played = game(Verdict::Resigned(Side::White));
        keep(run.path(), &tournament(), &played, None).expect("it is kept");
        assert!(!run.path().join("failures").exists());
    }
}
