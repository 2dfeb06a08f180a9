//! The Lua scripts: each is one atomic step on the node of its keys.

use redis::{Cmd, cmd};

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
    Script::new(concat!(include_str!("functions/server.lua"), include_str!("identity.lua")))
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

macro_rules! scripts {
    ($($name:ident: $($function:literal)*;)*) => {
        /// All scripts of the store. Each is the file of its name, after the functions that it calls and that these call.
        pub(super) struct Scripts {
            $(pub(super) $name: Script,)*
        }

        impl Scripts {
            pub(super) fn new() -> Self {
                Self {
                    $($name: Script::new(concat!(
                        $(include_str!(concat!("functions/", $function, ".lua")),)*
                        include_str!(concat!(stringify!($name), ".lua"))
                    )),)*
                }
            }
        }
    };
}

scripts! {
    insert: "server";
    find: "server";
    open: "server" "signable" "record";
    outcome: "server";
    pause: "server" "entry";
    paused: "server";
    revoke: "server" "entry";
    trip: "server" "entry";
    end_trip: "server" "entry";
    append_entry: "server" "entry";
    store_hedge: "server" "entry";
    store_sample:;
    read_events: "server";
    lease:;
    store_leased:;
    apply_changes: "server" "amounts" "book";
    read_book: "server" "totals" "amounts" "book";
    signing_delay: "server" "amounts" "book";
    commit: "server" "signable" "totals" "charge" "amounts" "book" "enter" "reservations" "record";
    hold_levels: "server" "levels";
    find_levels: "server" "levels";
    reserve: "server" "amounts" "reservations";
    set_reserved_until: "server" "amounts" "reservations";
    store_hash:;
    read_ledger: "server";
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
