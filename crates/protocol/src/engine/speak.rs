//! A conversation over pipes.

use std::io::{self, BufRead, Write};
use std::time::Instant;

use crate::serve::fill;
use crate::{Bot, LineBuffer, serve};

use super::{BadSetting, Conversation, Language, Setting};

/// Why a conversation does not start, or ends with an error.
#[derive(Debug, thiserror::Error)]
pub enum NotSpoken {
    /// The setting cannot be used.
    #[error(transparent)]
    Setting(#[from] BadSetting),
    /// A pipe failed, or the arena sent a line that cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Plays over `input` and `output` in the protocol of `setting`, until the manager ends the session
/// or closes the input.
///
/// Lines end with CR, LF or both; empty ones are ignored. In the arena's own protocol this is
/// [`serve`]; in the others no line but the manager's last command ends the process.
pub fn speak(
    bot: &mut dyn Bot,
    setting: &Setting,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<(), NotSpoken> {
    if setting.protocol == Language::Arena {
        return match setting.beyond_the_arena() {
            Some(option) => Err(BadSetting::OfTheArena { option }.into()),
            None => Ok(serve(bot, input, output)?),
        };
    }
    let mut conversation = Conversation::new(bot, setting)?;
    let mut lines = LineBuffer::new();
    let mut say = |line: &str| {
        output.write_all(format!("{line}\n").as_bytes())?;
        output.flush()
    };
    loop {
        while let Some(line) = next_line(&mut lines) {
            if !conversation.hear(&line, Instant::now(), &mut say)? {
                return Ok(());
            }
        }
        let newlines = |lines: &mut LineBuffer, bytes: &[u8]| {
            let end = |&byte: &u8| if byte == b'\r' { b'\n' } else { byte };
            lines.extend(&bytes.iter().map(end).collect::<Vec<_>>());
        };
        if !fill(&mut lines, &mut input, newlines)? {
            return Ok(());
        }
    }
}

/// The next whole line. Of one that is too long there is only the beginning: no protocol has such
/// lines, so it will be an unknown command.
fn next_line(lines: &mut LineBuffer) -> Option<String> {
    const KEPT: usize = 100;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if let Ok(line) = lines.next_line()? {
        return Some(text(line));
    }
    let rest = lines.rest().to_vec();
    lines.clear();
    if let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
        lines.extend(&rest[end..]);
    }
    Some(text(&rest[..KEPT]))
}
