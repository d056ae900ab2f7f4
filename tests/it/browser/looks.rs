//! Script steps that check the look and the texts of pages.
//!
//! | step | meaning |
//! |---|---|
//! | `audit` | axe-core finds no violation; skipped unless `ARENA_AXE` is the path of axe.min.js |
//! | `chinese class` | switches a report to Chinese, checks that only names are left in English, and switches back; saves a picture as `chinese-class.webp` |
//! | `harmless` | no error is on the console, nothing was loaded, and no code of a bot has run |
//! | `dress phone-dark-zh` | sets the window's size (`desktop`, `tablet` or `phone`), colours and language |
//! | `picture run.webp` | saves a picture of the window (`.png`: of the whole page) in the folder `ARENA_PICTURES` |

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use super::script::PageScript;

impl PageScript<'_> {
    pub fn look(&self, verb: &str, rest: &str) -> Option<()> {
        match verb {
            "audit" => self.audit(),
            "chinese" => self.is_chinese(rest),
            "dress" => self.dress(rest),
            "harmless" => self.is_harmless(),
            "picture" => {
                let browser = self.browser()?;
                if let Some(folder) = std::env::var_os("ARENA_PICTURES").map(PathBuf::from) {
                    fs::create_dir_all(&folder).expect("a folder");
                    let path = folder.join(rest);
                    let is_whole = path.extension().is_some_and(|kind| kind == "png");
                    browser.picture(&path, is_whole);
                }
                Some(())
            }
            _ => panic!("there is no step {verb}"),
        }
    }

    fn audit(&self) -> Option<()> {
        let browser = self.browser()?;
        let Some(axe) = std::env::var_os("ARENA_AXE") else {
            eprintln!("skipped: ARENA_AXE is not set");
            return Some(());
        };
        let axe = fs::read_to_string(axe).expect("axe.min.js");
        browser.run(&format!("{axe}; window.axe = axe"));
        let found = browser.run(
            "return axe.run().then(({ violations }) => \
             violations.map((one) => `${one.id}: ${one.nodes[0].html}`))",
        );
        assert_eq!(found, json!([]));
        Some(())
    }

    fn is_harmless(&self) -> Option<()> {
        let browser = self.browser()?;
        assert_eq!(browser.console(), Vec::<String>::new());
        assert_eq!(browser.run("return typeof hacked"), json!("undefined"));
        let loaded = browser.run("return performance.getEntriesByType('resource').length");
        assert_eq!(loaded, json!(0), "it loads nothing");
        Some(())
    }

    fn dress(&self, name: &str) -> Option<()> {
        let browser = self.browser()?;
        let (width, height) = match name.split('-').next() {
            Some("phone") => (390, 844),
            Some("tablet") => (768, 1024),
            _ => (1440, 900),
        };
        browser.size(width, height);
        browser.dark(name.contains("dark"));
        browser.language(name.rsplit('-').next().unwrap_or_default());
        Some(())
    }

    fn is_chinese(&self, name: &str) -> Option<()> {
        let browser = self.browser()?;
        let texts = "const texts = []; const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); \
             while (walker.nextNode()) { const place = walker.currentNode.parentElement; \
             if (!place.closest('bdi, pre, code, script, style, noscript, option[value], #language')) texts.push(walker.currentNode.data.trim()); }";
        let ready = browser.run("return document.documentElement.dataset.ready");
        let switch = |language: &str| {
            browser.click("#language");
            browser.until(&format!(
                "document.documentElement.lang === '{language}' && document.documentElement.dataset.ready === {ready}"
            ));
        };
        switch("zh");
        self.look("picture", &format!("chinese-{name}.webp"))?;
        let left = self.run(&format!(
            "{texts} const names = $$('bdi, option, h1, tbody th, .player strong, .path a').map((one) => one.textContent.replace(/^\\d+ /, '').trim()).filter(Boolean); \
             return texts.filter((text) => /[A-Za-z]{{3}}/.test(names.reduce((text, name) => text.replaceAll(name, ''), text).replace(/\".*\"/, '').replace(/\\b(Elo|CPU|arena|replay|serve|RUN|GAME|Buchholz|SVG|PNG|GIF|SGF)\\b/g, '')))"
        ))?;
        assert_eq!(left, json!([]));
        switch("en");
        Some(())
    }
}
