//! Tests of the program as users run it, each in its own folder. `tests/alone` has the tests that depend on time.

/// Makes a test of each file, so that one can be run by its name.
macro_rules! test_files {
    ($play:ident: $($name:ident $file:literal,)*) => {$(
        #[test]
        fn $name() {
            $play($file);
        }
    )*};
}

mod analysis;
mod architecture;
mod browser;
mod chinese;
#[cfg(target_os = "linux")]
mod ci;
mod cluster;
#[expect(dead_code, reason = "`tests/alone` uses it")]
mod common;
mod damage;
mod doctor;
mod exports;
mod from_cutechess;
mod frozen;
mod golden;
mod hostile;
mod interrupt;
mod languages;
mod manual;
mod mistakes;
mod openings;
mod readme;
mod run_crate;
#[cfg(target_os = "linux")]
mod sandbox;
mod schema;
#[cfg(target_os = "linux")]
mod scripts;
mod stages;
mod static_binary;
mod transcripts;
mod wine;
