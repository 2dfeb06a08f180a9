//! The Lua scripts: each is one atomic step on the node of its keys.

use redis::{Cmd, cmd};

/// Source of a script, after the functions that it calls and that these call.
macro_rules! source {
    ($name:literal: $($functions:literal)*) => {
        concat!($(include_str!(concat!("functions/", $functions)),)* include_str!($name))
    };
}

/// Keys and arguments of a script.
#[derive(Debug, Default)]
pub(super) struct ScriptCall {
    pub(super) keys: Vec<String>,
    pub(super) arguments: Vec<Vec<u8>>,
}

impl ScriptCall {
    pub(super) fn as_slices(&self) -> (Vec<&str>, Vec<&[u8]>) {
        (self.keys.iter().map(String::as_str).collect(), self.arguments.iter().map(Vec::as_slice).collect())
    }
}

/// Returns the script that reads the generation of its server.
pub(super) fn identity() -> Script {
    Script::new(source!("identity.lua": "server.lua"))
}

/// Returns the script that runs every command that scripts run.
pub(super) fn probe() -> Script {
    Script::new(include_str!("probe.lua"))
}

/// Returns the script that writes to a shared hash.
pub(super) fn post() -> Script {
    Script::new(include_str!("post.lua"))
}

/// A script and its SHA-1 hash, its name in the script cache of the server.
pub(super) struct Script {
    text: &'static str,
    hash: String,
}

/// All scripts of the store.
pub(super) struct Scripts {
    pub(super) insert: Script,
    pub(super) find: Script,
    pub(super) open: Script,
    pub(super) outcome: Script,
    pub(super) pause: Script,
    pub(super) paused: Script,
    pub(super) revoke: Script,
    pub(super) trip: Script,
    pub(super) end_trip: Script,
    pub(super) append_entry: Script,
    pub(super) store_hedge: Script,
    pub(super) store_sample: Script,
    pub(super) read_events: Script,
    pub(super) lease: Script,
    pub(super) store_leased: Script,
    pub(super) apply_changes: Script,
    pub(super) read_book: Script,
    pub(super) signing_delay: Script,
    pub(super) commit: Script,
    pub(super) hold_levels: Script,
    pub(super) find_levels: Script,
    pub(super) reserve: Script,
    pub(super) set_reserved_until: Script,
    pub(super) store_hash: Script,
    pub(super) read_ledger: Script,
}

impl Scripts {
    pub(super) fn new() -> Self {
        Self {
            insert: Script::new(source!("insert.lua": "server.lua")),
            find: Script::new(source!("find.lua": "server.lua")),
            open: Script::new(source!("open.lua": "server.lua" "signable.lua" "record.lua")),
            outcome: Script::new(source!("outcome.lua": "server.lua")),
            pause: Script::new(source!("pause.lua": "server.lua" "entry.lua")),
            paused: Script::new(source!("paused.lua": "server.lua")),
            revoke: Script::new(source!("revoke.lua": "server.lua" "entry.lua")),
            trip: Script::new(source!("trip.lua": "server.lua" "entry.lua")),
            end_trip: Script::new(source!("end_trip.lua": "server.lua" "entry.lua")),
            append_entry: Script::new(source!("append_entry.lua": "server.lua" "entry.lua")),
            store_hedge: Script::new(source!("store_hedge.lua": "server.lua" "entry.lua")),
            store_sample: Script::new(include_str!("store_sample.lua")),
            read_events: Script::new(source!("read_events.lua": "server.lua")),
            lease: Script::new(include_str!("lease.lua")),
            store_leased: Script::new(include_str!("store_leased.lua")),
            apply_changes: Script::new(source!("apply_changes.lua": "server.lua" "amounts.lua" "book.lua")),
            read_book: Script::new(source!("read_book.lua": "server.lua" "totals.lua" "amounts.lua" "book.lua")),
            signing_delay: Script::new(source!("signing_delay.lua": "server.lua" "amounts.lua" "book.lua")),
            commit: Script::new(source!(
                "commit.lua": "server.lua" "signable.lua" "totals.lua" "charge.lua" "amounts.lua" "book.lua" "enter.lua"
                    "reservations.lua" "record.lua"
            )),
            hold_levels: Script::new(source!("hold_levels.lua": "server.lua" "levels.lua")),
            find_levels: Script::new(source!("find_levels.lua": "server.lua" "levels.lua")),
            reserve: Script::new(source!("reserve.lua": "server.lua" "amounts.lua" "reservations.lua")),
            set_reserved_until: Script::new(source!(
                "set_reserved_until.lua": "server.lua" "amounts.lua" "reservations.lua"
            )),
            store_hash: Script::new(include_str!("store_hash.lua")),
            read_ledger: Script::new(source!("read_ledger.lua": "server.lua")),
        }
    }
}

impl Script {
    fn new(text: &'static str) -> Self {
        Self { text, hash: redis::Script::new(text).get_hash().to_owned() }
    }

    /// A call by hash (`EVALSHA`), which fails on a server that has not cached the script, for example after a restart.
    pub(super) fn call(&self, keys: &[&str], arguments: &[&[u8]]) -> Cmd {
        command("EVALSHA", &self.hash, keys, arguments)
    }

    /// The same call with the whole source (`EVAL`), after which the server has cached the script.
    pub(super) fn eval(&self, keys: &[&str], arguments: &[&[u8]]) -> Cmd {
        command("EVAL", self.text, keys, arguments)
    }
}

fn command(name: &'static str, script: &str, keys: &[&str], arguments: &[&[u8]]) -> Cmd {
    let mut command = cmd(name);
    command.arg(script).arg(keys.len()).arg(keys).arg(arguments);
    command
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    /// The commands that the scripts in `directory` run.
    fn commands(directory: &Path, is_included: impl Fn(&str) -> bool) -> BTreeSet<String> {
        let mut commands = BTreeSet::new();
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if name.ends_with(".lua") && is_included(&name) {
                let text = fs::read_to_string(&path).unwrap();
                let calls = text.split("redis.call('").chain(text.split("redis.pcall('")).skip(1);
                commands.extend(calls.filter_map(|call| Some(call.split_once('\'')?.0.to_owned())));
            }
        }
        commands.retain(|command| command.bytes().all(|byte| byte.is_ascii_uppercase()));
        commands
    }

    #[test]
    fn the_probe_runs_every_command_of_every_script() {
        let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/redis/scripts");
        let mut needed = commands(&scripts, |name| name != "probe.lua");
        needed.extend(commands(&scripts.join("functions"), |_| true));
        let probe = include_str!("probe.lua");
        let missing: Vec<_> = needed.iter().filter(|command| !probe.contains(&format!("{{'{command}'"))).collect();
        assert!(needed.len() > 20 && missing.is_empty(), "{missing:?} of {needed:?}");
    }
}
