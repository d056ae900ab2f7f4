//! Caro as Gomocup's judge decides it, after each move: <https://github.com/Gomocup/GomocupJudge>, rule 8.

use games::gomoku::{GomokuBoard, Rule};
use games::{Move, Reason, Rules, Side, Square};

use super::random::Random;

type Cells = Vec<Vec<Option<char>>>;

/// Walks from the stone in both directions. Six or more win; five win unless both walks end at an opponent's stone.
fn wins(cells: &Cells, column: usize, row: usize, stone: char) -> bool {
    let opponent = if stone == 'X' { 'O' } else { 'X' };
    [(0, 1), (1, 0), (1, 1), (1, -1)]
        .into_iter()
        .any(|(right, down): (isize, isize)| {
            let mut length = 1;
            let mut closed_ends = 0;
            for way in [-1, 1] {
                let (mut x, mut y) = (column, row);
                let end = loop {
                    x = x.wrapping_add_signed(way * right);
                    y = y.wrapping_add_signed(way * down);
                    match cells[y][x] {
                        Some(cell) if cell == stone => length += 1,
                        end => break end,
                    }
                };
                closed_ends += u32::from(end == Some(opponent));
            }
            length > 5 || (length == 5 && closed_ends < 2)
        })
}

#[test]
fn ten_thousand_random_games_end_where_the_judge_ends_them() {
    let mut random = Random(8);
    let (mut endings, mut closed) = ([0, 0, 0], 0);
    for number in 0..10_000 {
        let size = 5 + (number % 18) as u8;
        let mut board = GomokuBoard::new(size, Rule::Caro);
        let side = usize::from(size) + 2;
        let mut cells = vec![vec![None; side]; side];
        for row in &mut cells[1..=usize::from(size)] {
            row[1..=usize::from(size)].fill(Some('.'));
        }
        // Most games fill one corner or one side, so that there are long lines, also along the edges.
        let wide = u64::from(size.min(5 + random.below(4) as u8));
        while board.ending().is_none() {
            let span = if random.below(20) == 0 {
                size.into()
            } else {
                wide
            };
            let (column, row) = (random.below(span) as u8, random.below(wide) as u8);
            let square = Square::new(column, row);
            if board.stone(square).is_some() {
                if board.empty_squares().all(|square| {
                    u64::from(square.column()) >= wide || u64::from(square.row()) >= wide
                }) {
                    break;
                }
                continue;
            }
            let mover = board.side_to_move();
            let (column, row) = (usize::from(column) + 1, usize::from(row) + 1);
            cells[row][column] = Some(mover.symbol());
            let won = wins(&cells, column, row, mover.symbol());
            let standard = GomokuBoard::wins(&as_standard(&board), square, mover);
            board.play(Move::Place(square)).unwrap();
            closed += u32::from(standard && !won);
            let ending = board.ending().filter(|end| end.reason == Reason::FIVE);
            let winner = ending.and_then(|end| end.winner);
            assert_eq!(winner, won.then_some(mover), "{square} in\n{board}");
            let stones = board.winning_stones(square);
            assert_eq!(stones.len() >= 5, won, "{stones:?}");
        }
        let winner = board.ending().and_then(|end| end.winner);
        endings[winner.map_or(2, Side::index)] += 1;
    }
    println!("{endings:?}, {closed} closed fives");
    assert!(endings.into_iter().all(|count| count > 200) && closed > 200);
}

fn as_standard(board: &GomokuBoard) -> GomokuBoard {
    let mut standard = GomokuBoard::new(board.size(), Rule::Standard);
    for index in 0..usize::from(board.size()).pow(2) {
        let square = Square::from_index(index, board.size());
        standard.set(square, board.stone(square));
    }
    standard
}
