//! The page, in a real browser and by hand-written requests. Without chromedriver the parts that need a
//! browser are skipped, unless `ARENA_BROWSER` is set.

mod access;
mod analysis;
#[path = "../common/browser.rs"]
#[expect(dead_code, reason = "each test uses its own part")]
mod browser;
#[path = "../common/mod.rs"]
#[expect(dead_code, reason = "each test uses its own part")]
mod common;
mod figures;
mod files;
mod live;
mod page;
mod pictures;
mod play;
mod replay;
mod security;
mod stages;

use common::http;
