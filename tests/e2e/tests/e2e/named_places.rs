//! The files and functions that the pages for contributors name exist.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::{fs, path::Path};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn read(page: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(page)).unwrap()
}

#[test]
fn each_function_of_a_request_is_where_the_page_says() {
    let page = read("docs/life-of-a-request.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | `"));
    let mut functions = 0;
    for (function, rest) in rows {
        let (file, _) = rest.split_once("` | ").unwrap();
        let code = read(&format!("crates/{file}"));
        let name = function.rsplit("::").next().unwrap();
        assert!(code.contains(&format!("fn {name}(")) || code.contains(&format!("fn {name}<")), "{function} in {file}");
        functions += 1;
    }
    assert!(functions > 30, "{functions}");
}

#[test]
fn each_place_of_the_architecture_exists() {
    let page = read("docs/architecture.md");
    let places: Vec<_> =
        page.split('`').filter(|text| text.starts_with("crates/") || text.starts_with("tests/")).collect();
    assert!(places.len() > 20, "{places:?}");
    for place in places {
        assert!(Path::new(ROOT).join(place).exists(), "{place}");
    }
}

#[test]
fn each_invariant_is_enforced_and_tested_where_the_page_says() {
    let page = read("docs/invariants.md");
    let rows: Vec<Vec<&str>> = page
        .lines()
        .filter(|line| line.contains("`crates/"))
        .map(|line| line.split('`').skip(1).step_by(2).collect())
        .collect();
    assert_eq!(rows.len(), 20);
    for words in rows {
        let mut tested = "";
        for word in words {
            if word.contains('/') {
                assert!(Path::new(ROOT).join(word).exists(), "{word}");
                tested = word;
            } else if word.starts_with("firmquote_") {
                assert!(read("docs/metrics.md").contains(word), "{word}");
            } else if word.contains('_') {
                assert!(read(tested).contains(&format!("fn {word}")), "{word} in {tested}");
            }
        }
    }
}
