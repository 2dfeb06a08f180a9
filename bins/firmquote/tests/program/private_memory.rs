//! A process with keys leaves no core dump, and other processes of its user cannot read its memory.

use std::{fs, os::unix::fs::MetadataExt as _};

use crate::program::{Serving, firmquote};

#[test]
fn a_running_service_leaves_no_core_dump() {
    let serving = Serving::start(firmquote(&["serve"]));
    let limits = fs::read_to_string(format!("/proc/{}/limits", serving.id())).unwrap();
    let limit = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    assert_eq!(limit.split_whitespace().collect::<Vec<_>>()[4..], ["0", "0", "bytes"], "{limit}");
    // The files of a process that is not dumpable belong to root (proc(5)).
    assert_eq!(fs::metadata(format!("/proc/{}/environ", serving.id())).unwrap().uid(), 0);
}
