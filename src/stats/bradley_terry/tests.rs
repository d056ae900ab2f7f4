use super::*;

fn elos(pairings: &[(usize, usize, Score)], players: usize) -> Vec<f64> {
    ratings(pairings, players).iter().map(|r| r.elo).collect()
}

#[test]
fn two_bots_differ_by_the_elo_of_their_match() {
    let found = elos(&[(0, 1, Score::new(60000, 20000, 20000))], 2);
    let elo = 400.0 * (0.7f64 / 0.3).log10();
    assert!((found[0] - found[1] - elo).abs() < 0.01, "{found:?}");
}
