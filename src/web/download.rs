//! Downloads of a game: in the formats of other programs, and as an animated GIF with a picture per half-move.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use games::formats::{self, SavedGame};
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use run::report::page::view::GameView;

/// Answers with the game as a file `name.ending`: an animation for `gif`, else in the format with this ending.
pub fn download(game: &SavedGame, name: &str, ending: &str) -> Response {
    if ending == "gif" {
        return match animated(&GameView::saved(0, game)) {
            Ok(file) => attached(file, "image/gif", name, ending),
            Err(why) => (StatusCode::INTERNAL_SERVER_ERROR, why.to_string()).into_response(),
        };
    }
    let text = match formats::write(ending, game) {
        None => return StatusCode::NOT_FOUND.into_response(),
        Some(Err(why)) => {
            return (StatusCode::UNPROCESSABLE_ENTITY, why.to_string()).into_response();
        }
        Some(Ok(text)) => text,
    };
    attached(text, "text/plain; charset=utf-8", name, ending)
}

/// Returns an answer that the browser saves as a file and does not show.
fn attached(body: impl IntoResponse, kind: &'static str, name: &str, ending: &str) -> Response {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let name: String = name
        .chars()
        .map(|c| if plain(c) { c } else { '_' })
        .collect();
    let disposition = format!("attachment; filename=\"{name}.{ending}\"");
    (
        [
            (header::CONTENT_TYPE, kind.to_owned()),
            (header::CONTENT_DISPOSITION, disposition),
        ],
        body,
    )
        .into_response()
}

/// The approximate width of the board in pixels.
const WIDTH: u16 = 400;
const EDGE: u16 = 8;
/// The time for which a half-move and the end are shown, in hundredths of a second.
const SHOWN: [u16; 2] = [70, 400];

/// Palette indices: ground, line, black, white, edges of discs, the mark of the last move.
const GROUND: u8 = 0;
const LINE: u8 = 1;
const BLACK: u8 = 2;
const WHITE: u8 = 3;
const MARK: u8 = 8;

const FELT: [[u8; 3]; 2] = [[47, 128, 96], [28, 90, 66]];
const WOOD: [[u8; 3]; 2] = [[226, 181, 103], [110, 79, 28]];
const INK: [[u8; 3]; 3] = [[22, 22, 22], [251, 251, 248], [179, 38, 30]];

pub fn animated(view: &GameView) -> Result<Vec<u8>, EncodingError> {
    let board = Drawn::new(view);
    let mut file = Vec::new();
    let side = board.side();
    let mut encoder = Encoder::new(&mut file, side, side, &palette(view.discs))?;
    encoder.set_repeat(Repeat::Infinite)?;
    let positions = view.positions();
    let last = positions.len() - 1;
    let mut before: Option<(&[u8], Option<usize>)> = None;
    for (ply, stones) in positions.iter().enumerate() {
        let at = view.frames[ply].at;
        let [left, top, right, bottom] = match before {
            None => [0, 0, side, side],
            Some((stones_before, at_before)) => {
                let touched = (0..stones.len()).filter(|&square| {
                    stones[square] != stones_before[square]
                        || at == Some(square)
                        || at_before == Some(square)
                });
                board.around(touched)
            }
        };
        let pixels = (top..bottom)
            .flat_map(|y| (left..right).map(move |x| (x, y)))
            .map(|(x, y)| board.pixel(stones, at, x, y));
        let frame = Frame {
            left,
            top,
            width: right - left,
            height: bottom - top,
            delay: SHOWN[usize::from(ply == last)],
            dispose: DisposalMethod::Keep,
            buffer: pixels.collect::<Vec<u8>>().into(),
            ..Frame::default()
        };
        encoder.write_frame(&frame)?;
        before = Some((stones, at));
    }
    drop(encoder);
    Ok(file)
}

fn palette(discs: bool) -> Vec<u8> {
    let [ground, line] = if discs { FELT } else { WOOD };
    let [black, white, mark] = INK;
    let mix = |one: [u8; 3], other: [u8; 3], share: u16| {
        [0, 1, 2]
            .map(|c| ((u16::from(one[c]) * share + u16::from(other[c]) * (3 - share)) / 3) as u8)
    };
    let colours = [
        ground,
        line,
        black,
        white,
        mix(black, ground, 1),
        mix(black, ground, 2),
        mix(white, ground, 1),
        mix(white, ground, 2),
        mark,
    ];
    colours.concat()
}

struct Drawn {
    size: u16,
    cell: u16,
    discs: bool,
}

impl Drawn {
    fn new(view: &GameView) -> Drawn {
        let size = u16::from(view.size);
        Drawn {
            size,
            cell: WIDTH / size,
            discs: view.discs,
        }
    }

    fn side(&self) -> u16 {
        self.size * self.cell + 2 * EDGE
    }

    /// Returns the smallest rectangle around these squares: left, top, right, bottom; if there are none, one pixel.
    fn around(&self, squares: impl Iterator<Item = usize>) -> [u16; 4] {
        let places = squares.map(|square| {
            let square = square as u16;
            [square % self.size, square / self.size].map(|index| EDGE + index * self.cell)
        });
        let all = places.fold(
            [u16::MAX, u16::MAX, 0, 0],
            |[left, top, right, bottom], [x, y]| {
                let (x1, y1) = (x + self.cell, y + self.cell);
                [left.min(x), top.min(y), right.max(x1), bottom.max(y1)]
            },
        );
        if all[0] == u16::MAX {
            [0, 0, 1, 1]
        } else {
            all
        }
    }

    fn pixel(&self, stones: &[u8], last: Option<usize>, x: u16, y: u16) -> u8 {
        let end = EDGE + self.size * self.cell;
        let inside = |value: u16| (EDGE..end).contains(&value);
        if !inside(x) || !inside(y) {
            return self.line(x, y);
        }
        let [column, row] = [x, y].map(|value| (value - EDGE) / self.cell);
        let square = usize::from(row * self.size + column);
        let centre = |index: u16| f64::from(EDGE + index * self.cell) + f64::from(self.cell) / 2.0;
        let away = (f64::from(x) + 0.5 - centre(column)).hypot(f64::from(y) + 0.5 - centre(row));
        let colour = match stones[square] {
            b'X' => BLACK,
            b'O' => WHITE,
            _ => return self.line(x, y),
        };
        let radius = f64::from(self.cell);
        if last == Some(square) && away < radius * 0.13 {
            return MARK;
        }
        // The disc's share of the pixel, in thirds.
        match ((radius * 0.43 - away + 0.5).clamp(0.0, 1.0) * 3.0).round() as u8 {
            0 => self.line(x, y),
            3 => colour,
            share => 2 * colour + share - 1,
        }
    }

    fn line(&self, x: u16, y: u16) -> u8 {
        let end = EDGE + self.size * self.cell;
        // Discs are between the lines, but stones are on them.
        let (first, count) = if self.discs {
            (EDGE, self.size + 1)
        } else {
            (EDGE + self.cell / 2, self.size)
        };
        let from = first..=first + (count - 1) * self.cell;
        let is_line = |along: u16, across: u16| {
            from.contains(&along)
                && from.contains(&across)
                && (along - first).is_multiple_of(self.cell)
        };
        if x <= end && y <= end && (is_line(x, y) || is_line(y, x)) {
            LINE
        } else {
            GROUND
        }
    }
}

#[cfg(test)]
mod tests {
    use games::{Game, parse_transcript};

    use super::*;

    /// The library's decoder must find a picture per position, and the discs of the last position.
    #[test]
    fn a_picture_for_each_position() {
        let (moves, board) = parse_transcript(Game::OTHELLO, "f5d6c3").expect("legal");
        let names = ["one", "two"].map(str::to_owned);
        let view = GameView::begin(0, Game::OTHELLO, names, &moves, None);
        let file = animated(&view).expect("a picture");
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(file.as_slice()).expect("a GIF");
        let width = usize::from(decoder.width());
        let mut shown = vec![0; width * usize::from(decoder.height())];
        let mut pictures = 0;
        while let Some(frame) = decoder.read_next_frame().expect("a frame") {
            pictures += 1;
            for (row, pixels) in frame.buffer.chunks(usize::from(frame.width)).enumerate() {
                let from = (usize::from(frame.top) + row) * width + usize::from(frame.left);
                shown[from..from + pixels.len()].copy_from_slice(pixels);
            }
        }
        assert_eq!(pictures, 4);
        let cell = usize::from(WIDTH) / 8;
        for (square, side) in board.stones() {
            let at = |index: u8, off: usize| usize::from(EDGE) + usize::from(index) * cell + off;
            // A pixel of the disc, beside the mark in its middle.
            let (x, y) = (
                at(square.column(), cell / 2 + cell / 4),
                at(square.row(), cell / 2),
            );
            let expected = [BLACK, WHITE][side.index()];
            assert_eq!(shown[y * width + x], expected, "{square}");
        }
    }
}
