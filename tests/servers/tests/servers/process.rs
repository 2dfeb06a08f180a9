//! A process is read, suspended, signaled and ended.

use std::process::Command;

use firmquote_test_servers::Process;

fn shell(script: &str) -> Process {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    Process::start(command)
}

#[test]
fn both_streams_are_read_line_by_line() {
    let mut process = shell("echo first; echo second; sleep 1000");
    assert_eq!(process.wait_for("sec"), "second");
    let mut process = shell("echo warning >&2");
    assert_eq!(process.wait_for_any(&["error", "warn"]), "warning");
    assert!(process.wait_for_end().success());
    assert!(!process.is_running());
}

#[test]
fn a_listener_receives_every_line_before_waiters() {
    let (sender, lines) = std::sync::mpsc::channel();
    // `env` restores the default action of SIGHUP: a shell cannot trap a signal that was ignored when it started, as
    // under `nohup`.
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP", "sh", "-c"]);
    command.arg("trap 'echo again' HUP; echo ready; while :; do sleep 0.01; done");
    let mut process = Process::start_with_output(command, move |line| sender.send(line.to_owned()).unwrap());
    process.wait_for("ready");
    process.send_hangup();
    process.wait_for("again");
    assert_eq!(lines.try_iter().collect::<Vec<_>>(), ["ready", "again"]);
}

#[test]
fn an_unread_process_is_not_blocked_and_its_last_lines_are_kept() {
    let mut process = shell("seq 1 200000; echo end; exec sleep 1000");
    process.wait_for("end");
    let mut process = shell("seq 1 200000; exit 3");
    assert_eq!(process.wait_for_end().code(), Some(3));
    process.wait_for("200000");
}

#[test]
#[should_panic(expected = "no line with any of [\"hello\"] but")]
fn an_unexpected_exit_fails_the_test_at_once() {
    shell("echo goodbye").wait_for("hello");
}

#[test]
fn terminating_a_process_lets_it_clean_up() {
    let mut process = shell("trap 'echo cleaned; exit 7' TERM; echo ready; while :; do sleep 0.01; done");
    process.wait_for("ready");
    assert_eq!(process.terminate().code(), Some(7));
    assert_eq!(process.wait_for("cleaned"), "cleaned");
}

#[test]
fn a_suspended_process_is_stopped_until_it_is_resumed_or_killed() {
    let mut process = shell("exec sleep 1000");
    for _ in 0..3 {
        process.suspend();
        let status = std::fs::read_to_string(format!("/proc/{}/stat", process.pid())).unwrap();
        assert!(status.contains(") T "), "{status}");
        assert!(!process.is_running());
        process.resume();
        assert!(process.is_running());
    }
    process.suspend();
    process.kill();
    assert!(!process.is_running());
    process.kill();
}
