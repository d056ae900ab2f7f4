//! The drawings of `renju_diagrams.txt`.

/// Returns the name and the rows of each drawing. The rows have stones, and marks on empty points: `?` is an allowed
/// point. In a drawing that marks every forbidden point, each unmarked point (`.`) is allowed and becomes `?`.
pub fn diagrams() -> Vec<(String, Vec<String>)> {
    let mut every_point = false;
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    let mut side_by_side = 0;
    for line in include_str!("renju_diagrams.txt").lines() {
        if let Some(part) = line.strip_prefix("@ ") {
            every_point = part.starts_with("every point");
        } else if let Some(names) = line.strip_prefix("= ") {
            side_by_side = names.split(" | ").count();
            all.extend(names.split(" | ").map(|name| (name.to_owned(), Vec::new())));
        } else if !line.is_empty() && !line.starts_with('#') {
            let rows: Vec<&str> = line.split("  ").collect();
            assert_eq!(rows.len(), side_by_side, "{line}");
            let first = all.len() - side_by_side;
            for ((_, drawn), row) in all[first..].iter_mut().zip(rows) {
                drawn.push(if every_point {
                    row.replace('.', "?")
                } else {
                    row.to_owned()
                });
            }
        }
    }
    assert_eq!(all.len(), 46, "all of them are read");
    all
}
