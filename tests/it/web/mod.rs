//! The page, in a real browser and by hand-written requests. Without chromedriver the parts that need a
//! browser are skipped, unless `ARENA_BROWSER` is set.

mod access;
mod analysis;
mod figures;
mod files;
mod live;
mod page;
mod pictures;
mod play;
mod replay;
mod security;
mod stages;
