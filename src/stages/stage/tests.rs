use super::*;

fn course(rows: &[&str]) -> String {
    let row = |row: &str| -> String {
        let symbols = row.chars().map(|c| match c {
            'X' => "1",
            'O' => "0",
            _ => "#",
        });
        symbols.collect::<Vec<_>>().join(" ")
    };
    let empty = ".".repeat(15);
    let rows = rows
        .iter()
        .copied()
        .chain(std::iter::repeat(empty.as_str()));
    rows.take(15).map(|text| row(text) + "\n").collect()
}

#[test]
fn a_course_file_may_begin_with_comments() {
    let plain = read(&course(&ROWS), "a").expect("a stage");
    for remarks in [
        "# Stage 1\n",
        "# name: a\n#\n",
        "#10: black wins in 7\n\n# by hand\n",
    ] {
        let text = format!("{remarks}{}", course(&ROWS));
        assert_eq!(read(&text, "a").as_ref(), Ok(&plain), "{remarks}");
    }
    let text = format!("# name: fork\n# rules: renju\n{}", course(&ROWS));
    let stage = read(&text, "a").expect("a stage");
    assert_eq!(
        (stage.name.as_str(), stage.game().rules()),
        ("fork", "renju")
    );
}

#[test]
fn a_row_with_a_wrong_symbol_is_not_a_comment() {
    let [rest, typo] = [
        " # # # 2 # # # # # # # # # #",
        " x x x x x x 1 # # # # # # #",
    ];
    for (row, at) in [(rest, 8), (typo, 2)] {
        let text = course(&ROWS).replacen(&format!("#{}", " #".repeat(14)), &format!("#{row}"), 1);
        let problem = read(&text, "a").expect_err("a slip");
        assert_eq!(problem.at.map(|at| at.start), Some(60 + at), "{row}");
    }
}

const ROWS: [&str; 2] = ["...XX..........", "...OO.........."];

#[test]
fn both_formats_give_the_same_board() {
    let theirs = read(&course(&ROWS), "a").expect("a stage");
    let ours = read(&theirs.to_string(), "b").expect("a stage");
    assert_eq!(ours, theirs);
    assert_eq!(theirs.board.counts(), [2, 2]);
    let plain: String = course(&ROWS)
        .replace(' ', "")
        .replace('#', ".")
        .replace('1', "X")
        .replace('0', "O");
    assert_eq!(read(&plain, "a").expect("a stage"), theirs);
    let windows = course(&ROWS).replace('\n', "\r\n");
    assert_eq!(
        read(&format!("\u{feff}{windows}\r\n"), "a").expect("a stage"),
        theirs
    );
}

#[test]
fn a_header_is_written_and_read_back() {
    let mut stage = read(&course(&ROWS), "fork").expect("a stage");
    stage.win = Some(Win {
        plies: 9,
        means: Some(Means::Threats),
        line: vec![
            "h8".parse().expect("a square"),
            "o15".parse().expect("a square"),
        ],
    });
    stage.found = Some("by hand: 1".to_owned());
    assert_eq!(read(&stage.to_string(), "x").expect("a stage"), stage);
}

#[test]
fn stones_given_lead_to_the_position() {
    let mut text = course(&["XXX............", "O.............."]);
    let stage = read(&text, "a").expect("a stage");
    let given: Vec<String> = stage.given().iter().map(games::Move::to_string).collect();
    assert_eq!(given.concat(), "a1a2b1passc1pass");
    text = text.replacen("1 1 1", "1 # #", 1);
    let stage = read(&text, "a").expect("a stage");
    let mut board = stage.game().start();
    for played in stage.given() {
        board.play(played).expect("legal");
    }
    assert_eq!(board, stage.board);
}

#[test]
fn moves_are_limited_by_the_known_win_and_by_the_board() {
    let mut stage = read(&course(&ROWS), "a").expect("a stage");
    assert_eq!(stage.most_moves(), 111);
    for (plies, moves) in [(5, 10), (9, 10), (15, 16), (51, 52)] {
        stage.win = Some(win(&format!("{plies} plies")).expect("a win"));
        assert_eq!(stage.most_moves(), moves, "{plies}");
    }
}
