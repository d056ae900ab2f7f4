//! Compares exported games with the tables of the run.

use std::fs;

use crate::common::{Workdir, table};
use games::formats::wthor::{self, WthorFiles};
use games::formats::{ggf, sgf};
use games::{Rules, Side, format_transcript};

#[test]
fn exported_games_agree_with_the_tables() {
    let workdir = Workdir::new();
    workdir.succeed(["match", "random", "greedy", "-n", "4", "--move-ms", "1000"]);
    let run = "results/random-greedy";
    let rows = table(&workdir.path(run).join("games.csv"));
    let export = |more: &str| workdir.succeed(format!("export {run} --format {more}").split(' '));
    let transcripts = export("transcript");
    let games = ggf::read(&export("ggf")).expect("GGF");
    assert_eq!(games.len(), 4);
    export("wthor -o base.wtb");
    let read = |name| fs::read(workdir.path(name)).expect("it was written");
    let base = wthor::read(&WthorFiles {
        games: read("base.wtb"),
        players: read("base.jou"),
        tournaments: read("base.trn"),
    });
    let base = base.expect("WTHOR");
    for (((game, of_base), row), line) in
        games.iter().zip(&base).zip(&rows).zip(transcripts.lines())
    {
        assert_eq!(game.players, [row["black"].clone(), row["white"].clone()]);
        assert_eq!(game.players, of_base.players);
        assert!(game.plies().eq(of_base.plies()), "{line}");
        assert_eq!(format_transcript(&game.plies().collect::<Vec<_>>()), line);
        let counted = [&row["black_count"], &row["white_count"]];
        let counts = game.board().counts().map(|discs| discs.to_string());
        assert_eq!(counts.each_ref(), counted);
        let winner = game.result.and_then(|result| result.winner);
        assert_eq!(winner.map_or("draw", Side::word), row["result"]);
    }
    let one = sgf::read(&export("sgf --game 2")).expect("SGF");
    assert!(one[0].plies().eq(games[2].plies()));
}
