//! The page of a class: its hand-ins, and the pairs of similar ones. With `--anonymous`, numbers replace names.

use std::collections::HashMap;

use askama::Template;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use referee::record::harmless;
use run::report::grade::ClassEntry;
use run::report::page::file_link::FileLink;
use run::report::page::grade::{ClassPage, GradeShown};
use sha2::{Digest, Sha256};
use tournament::mark::GradeState;

use super::grade::card;
use super::run::served_file;
use super::{PageHead, Visitor, address, html, wrong};
use crate::grade::ClassList;

const FILES: [&str; 2] = ["class.csv", "similar.csv"];

/// Returns the number of each name in a class: numbers follow the hashes of the names, not their order.
fn numbers(list: &ClassList) -> HashMap<&str, usize> {
    let names = list.hand_ins.iter().map(|one| one.submission.as_str());
    let mut names: Vec<&str> = names.collect();
    names.sort_by_key(|name| Sha256::digest(name).to_vec());
    names.into_iter().zip(1..).collect()
}

/// `GET /class/othello-six`
pub async fn show(visitor: Visitor, Path(id): Path<String>) -> Response {
    let Some((folder, list)) = visitor.library.class(&id) else {
        return super::no_run(&visitor, &id);
    };
    let page = visitor.page(id.as_str());
    let is_anonymous = visitor.library.is_anonymous;
    let numbers = numbers(&list);
    let at = address(&id);
    let mut entries: Vec<(String, ClassEntry)> = Vec::new();
    for hand_in in &list.hand_ins {
        let mut entry = list.entry(&folder, hand_in);
        if entry.card.state == GradeState::Unfinished
            && let Some(now) = card(&ClassList::run(&folder, hand_in), &visitor.site.catalogue)
        {
            entry.card = now;
        }
        let link = if is_anonymous {
            format!("/class/{at}/{}", numbers[entry.submission.as_str()])
        } else {
            format!("/run/{}", address(&format!("{id}/{}", hand_in.key)))
        };
        entries.push((link, entry));
    }
    if is_anonymous {
        entries.sort_by_key(|(_, entry)| numbers[entry.submission.as_str()]);
    }
    let shown = |name: &str| {
        if is_anonymous {
            numbers.get(name).map(usize::to_string).unwrap_or_default()
        } else {
            harmless(name)
        }
    };
    html(&ClassPage {
        files: if is_anonymous {
            Vec::new()
        } else {
            FileLink::all(&folder, &format!("/class/{at}/file"), &FILES)
        },
        ..ClassPage::of(page, &id, &entries, &list.similar, is_anonymous, shown)
    })
}

#[derive(Template)]
#[template(path = "web/hand_in.html")]
struct HandInPage {
    page: PageHead,
    class: String,
    class_name: String,
    number: usize,
    grade: Option<GradeShown>,
}

/// `GET /class/othello-six/3`: the grade of a hand-in, without its name.
pub async fn anonymous(visitor: Visitor, Path((id, number)): Path<(String, usize)>) -> Response {
    let class = visitor.library.class(&id);
    let Some((folder, list)) = class.filter(|_| visitor.library.is_anonymous) else {
        return super::no_run(&visitor, &id);
    };
    let numbers = numbers(&list);
    let mut hand_ins = list.hand_ins.iter();
    let Some(hand_in) = hand_ins.find(|one| numbers[one.submission.as_str()] == number) else {
        return super::not_found(visitor).await;
    };
    let page = visitor.page(number.to_string());
    let run = ClassList::run(&folder, hand_in);
    let card = card(&run, &visitor.site.catalogue);
    let card = card.unwrap_or_else(|| list.entry(&folder, hand_in).card);
    html(&HandInPage {
        class: address(&id),
        class_name: harmless(&id),
        number,
        grade: Some(GradeShown::of(&card, None, page.lang)),
        page,
    })
}

/// `GET /class/othello-six/file/class.csv`
pub async fn file(visitor: Visitor, Path((id, name)): Path<(String, String)>) -> Response {
    let class = visitor.library.class(&id);
    let class = class.filter(|_| !visitor.library.is_anonymous && FILES.contains(&&*name));
    let Some((folder, _)) = class else {
        let what = visitor.lang().get("error.no-page").to_owned();
        return wrong(&visitor, StatusCode::NOT_FOUND, what);
    };
    served_file(&visitor, &folder.join(name))
}
