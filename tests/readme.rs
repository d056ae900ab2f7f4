//! The README in its languages.

use std::fs;

/// What stands between fences, and the files that are linked.
fn what_is_not_prose(name: &str) -> Vec<String> {
    let text = fs::read_to_string(name).expect("it is there");
    let (mut found, mut fenced) = (Vec::new(), None::<String>);
    for line in text.lines() {
        match (&mut fenced, line.starts_with("```")) {
            (None, true) => fenced = Some(line.to_owned()),
            (Some(_), true) => found.extend(fenced.take()),
            (Some(block), false) => *block += &format!("\n{line}"),
            (None, false) => {
                let pictures = line.split("](").skip(1);
                let links = pictures.filter_map(|rest| rest.split(')').next());
                found.extend(
                    links
                        .filter(|link| link.contains("pictures"))
                        .map(str::to_owned),
                );
            }
        }
    }
    found
}

#[test]
fn commands_figures_and_pictures_are_the_same_in_both_languages() {
    let english = what_is_not_prose("README.md");
    assert!(english.len() > 10, "{english:?}");
    for (english, chinese) in english.iter().zip(what_is_not_prose("README.zh-CN.md")) {
        assert_eq!(*english, chinese);
    }
    assert_eq!(english.len(), what_is_not_prose("README.zh-CN.md").len());
    for picture in english.iter().filter(|text| text.starts_with("docs/")) {
        assert!(fs::exists(picture).expect("a path"), "{picture}");
    }
}
