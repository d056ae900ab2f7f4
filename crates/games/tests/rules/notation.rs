//! What is written is read back: rows, positions, transcripts, problems.

use games::othello::{Position, obf};
use games::{Game, Move, Rules, Side, format_transcript, parse_transcript};
use proptest::prelude::*;

use super::othello_twin::any_position;
use super::played::{any_game, play, played_out};
use super::refusals::are_refused;

proptest! {
    #[test]
    fn rows_are_read_back(game in any_game(), choices in played_out()) {
        let (_, board) = play(game, &choices);
        let read = game.position(&board.rows(), board.side_to_move()).unwrap();
        prop_assert_eq!(read.rows(), board.rows());
        prop_assert_eq!(read.side_to_move(), board.side_to_move());
        prop_assert_eq!(read.counts(), board.counts());
        if board.ending().is_none() {
            prop_assert_eq!(read, board);
        }
    }

    #[test]
    fn the_bits_of_a_row_are_its_stones(game in any_game(), choices in played_out()) {
        let (_, board) = play(game, &choices);
        for (row, text) in (0..).zip(board.rows()) {
            for side in Side::BOTH {
                let stones = (0..).zip(text.chars()).filter(|&(_, cell)| cell == side.symbol());
                let bits: u32 = stones.map(|(column, _)| 1 << column).sum();
                prop_assert_eq!(board.row(row, side), bits, "{}", board);
            }
        }
    }

    #[test]
    fn othello_positions_are_read_back(position in any_position(), black in any::<bool>()) {
        let side = if black { Side::Black } else { Side::White };
        let text = position.format(side);
        prop_assert_eq!(Position::parse(&text), Ok(position), "{}", text);
    }

    #[test]
    fn transcripts_are_read_back(game in any_game(), choices in played_out()) {
        let (mut moves, mut board) = play(game, &choices);
        let text = format_transcript(&moves);
        if moves.last() == Some(&Move::Pass) {
            // A pass at the end cannot be seen in the transcript; reading stops before it.
            moves.pop();
            board = moves.iter().fold(game.start(), |mut board, &played| {
                board.play(played).unwrap();
                board
            });
        }
        prop_assert_eq!(parse_transcript(game, &text), Ok((moves.clone(), board.clone())));
        let words: Vec<String> = moves.iter().map(Move::to_string).collect();
        let shouted = words.join(", ").to_uppercase();
        prop_assert_eq!(parse_transcript(game, &shouted), Ok((moves, board)), "{}", shouted);
    }
}

#[test]
fn a_transcript_that_cannot_be_played_says_which_move_and_why() {
    are_refused(
        r#"
        > f5d6z9
        move 3: "z9" is not a square: write a column letter a–v and a row number 1–22, such as d3
        > f5f5
        move 2: f5 is not a legal move for white: the square is taken
        > f5 a1
        move 2: a1 is not a legal move for white: it turns over no disc
        > f5j9
        move 2: j9 is not a legal move for white: it is off the board
        > f5pass
        move 2: pass is not a legal move for white: there is a move to play
        > f5 d
        move 2: "d" is not a square: write a column letter a–v and a row number 1–22, such as d3
        "#,
        |text| parse_transcript(Game::OTHELLO, text),
    );
}

/// Source: the FFO test positions; their empties (20, 23, 29, 34) and scores are published too.
const FFO: &str = "\
40 O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38
43 --XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; G3:-12 C7:-12
55 --------X-X------XXXXOOOOOXOXX--OOOXXXX-OOXXXX--O-OOOX-----OO--- O; G6 B7 E2 G4:+0
59 -----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X X; H4 G8 E8:+64
";

#[test]
fn the_ffo_positions_are_read_and_written() {
    let problems = obf::read(FFO).unwrap();
    let listed: Vec<(&str, usize, usize, Option<i32>)> = problems
        .iter()
        .map(|problem| {
            let position = problem.board.position();
            let empties = position.empties().count_ones() as usize;
            let best = problem.best_score();
            (problem.name.as_str(), empties, problem.moves.len(), best)
        })
        .collect();
    assert_eq!(
        listed,
        [
            ("40", 20, 1, Some(38)),
            ("43", 23, 2, Some(-12)),
            ("55", 29, 4, Some(0)),
            ("59", 34, 3, Some(64)),
        ]
    );
    assert_eq!(problems[2].moves[1].played, "b7".parse().unwrap());
    let written: Vec<String> = problems.iter().map(obf::ObfPosition::to_string).collect();
    assert_eq!(obf::read(&written.join("\n")), Ok(problems));
}

#[test]
fn the_habits_of_other_programs_are_tolerated() {
    let start = "---------------------------OX------XO--------------------------- X";
    for text in [
        start.to_owned(),
        format!("{start};"),
        format!("  {start}; d3:+0;\r\n\n% a comment\n   \n"),
        format!("{start}; d3:0; c4:0; f5:0; e6:0; % the start"),
        format!("7\t{start};d3,c4 f5:+0"),
        start.replace('-', ".").replace('X', "*").replace('O', "0"),
        start.to_lowercase(),
        start.split_inclusive("----").collect::<Vec<_>>().join(" "),
    ] {
        let problems = obf::read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(problems.len(), 1, "{text}");
        assert_eq!(problems[0].board.position(), Position::START, "{text}");
    }
}

#[test]
fn a_broken_position_says_where_and_how_to_fix_it() {
    let start = "---------------------------OX------XO---------------------------";
    are_refused(
        r#"
        > % fine\n----------?----------------OX------XO--------------------------- X;
        line 2, column 11: square 11 holds '?': write X, O or -
        > ---------------------------OX------XO-----------------------
        line 1, column 61: 60 squares instead of 64
        > START
        line 1, column 65: the 64 squares are to be followed by the side to move, X or O
        > START -;
        line 1, column 66: the 64 squares are to be followed by the side to move, X or O, not '-'
        > --------------------------OX------XO--------------------------- X;
        line 1, column 66: the 64 squares are to be followed by the side to move, X or O, not ';': is a square missing?
        > START X;\n7 ---------------------------O-------XO--------------------------- O;
        line 2, column 3: no game reaches this position: d4, e4, d5 and e5 are never empty
        > STARTX d3:+1
        line 1, column 67: "d3:+1" follows the position: put a ; between it and its moves
        > 12 START X; d3:+1 d9x
        line 1, column 78: "d9x" is not a move: write it as in a2:+38
        > START X; d3:+1; a1:+2
        line 1, column 76: a1 is not a legal move of this position
        > START X; d3:+65
        line 1, column 72: "+65" is not a score: write discs from -64 to +64
        > START X; d3:best
        line 1, column 72: "best" is not a score: write discs from -64 to +64
        "#,
        |text| obf::read(&text.replace("START", start)),
    );
}
