//! Tables of cases for unit tests: `tests/cases/NAME.csv`, one case per row.

use serde::de::DeserializeOwned;

/// Reads the rows of a table after its header. A row that is not a `T` fails the test.
pub fn cases<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let path = format!(
        "{}/../../tests/cases/{name}.csv",
        env!("CARGO_MANIFEST_DIR")
    );
    let rows = csv::Reader::from_path(&path)
        .expect(&path)
        .into_deserialize();
    let rows: Vec<T> = rows.map(|row| row.expect(&path)).collect();
    assert!(!rows.is_empty(), "{path} has no rows");
    rows
}
