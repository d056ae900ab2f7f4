//! The grammar: trees of nodes with properties. Only the main line is kept.

use super::super::BadFile;
use super::super::scanner::Scanner;

/// A name and its values, such as `AB[hh][ig]`. The values still have their escapes.
pub(super) struct Property<'a> {
    pub(super) name: &'a str,
    pub(super) values: Vec<&'a str>,
}

struct Branch {
    main: bool,
    branched: bool,
}

pub(super) const NO_GAME: &str = "a game is written (;GM[4]SZ[15];B[hh];W[ig])";

/// Returns the properties of the next game's main line, in order; `None` after the last game.
pub(super) fn next_game<'a>(
    scanner: &mut Scanner<'a>,
) -> Result<Option<Vec<Property<'a>>>, BadFile> {
    loop {
        if scanner.take_until("(").is_none() {
            return Ok(None);
        }
        scanner.skip_space();
        if scanner.eat(";") {
            break;
        }
    }
    let mut branches = vec![Branch {
        main: true,
        branched: false,
    }];
    let mut properties = Vec::new();
    while let Some(branch) = branches.last_mut() {
        scanner.skip_space();
        if scanner.eat("(") {
            let main = branch.main && !branch.branched;
            branch.branched = true;
            branches.push(Branch {
                main,
                branched: false,
            });
        } else if scanner.eat(")") {
            branches.pop();
        } else if !scanner.eat(";") {
            let property = property(scanner)?;
            if branch.main && !branch.branched {
                properties.push(property);
            }
        }
    }
    Ok(Some(properties))
}

fn property<'a>(scanner: &mut Scanner<'a>) -> Result<Property<'a>, BadFile> {
    let before = *scanner;
    let name = scanner.take_while(|c| c.is_ascii_alphanumeric());
    scanner.skip_space();
    if name.is_empty() || !scanner.rest().starts_with('[') {
        return Err(before.wanted("write a property such as B[hh], or ) to end the game"));
    }
    let mut values = Vec::new();
    while scanner.eat("[") {
        let start = *scanner;
        loop {
            scanner.take_while(|c| c != ']' && c != '\\');
            if scanner.rest().starts_with(']') {
                break;
            }
            scanner.skip(2);
            if scanner.rest().is_empty() {
                return Err(before.wanted("this property has no closing ]"));
            }
        }
        values.push(scanner.since(&start));
        scanner.eat("]");
        scanner.skip_space();
    }
    Ok(Property { name, values })
}

/// Removes the escapes: the backslashes, and the line ends after them.
pub(super) fn plain(value: &str) -> String {
    let mut plain = String::new();
    let mut symbols = value.chars();
    while let Some(symbol) = symbols.next() {
        match symbol {
            '\\' => match symbols.next() {
                Some('\n') | None => {}
                Some(protected) => plain.push(protected),
            },
            symbol => plain.push(symbol),
        }
    }
    plain
}

pub(super) fn protected(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}
