//! The Lua scripts: each is one atomic step on the node of its keys.

use redis::{Cmd, cmd};

/// Source of a script that reads the generation of its server.
macro_rules! fenced {
    ($name:literal) => {
        concat!(include_str!("generation.lua"), include_str!($name))
    };
}

/// Source of a script on a book.
macro_rules! on_book {
    ($name:literal) => {
        concat!(include_str!("generation.lua"), include_str!("book.lua"), include_str!($name))
    };
}

/// Source of the script that does all that a signature takes: the bodies of other scripts as functions, each with keys and
/// arguments of its own.
const COMMIT: &str = concat!(
    include_str!("generation.lua"),
    "local function claim(KEYS, ARGV)\n",
    include_str!("claimable.lua"),
    "return claimable() or {'granted'}\nend\nlocal function charge(KEYS, ARGV)\n",
    include_str!("charge_volume.lua"),
    "end\nlocal function enter(KEYS, ARGV)\n",
    include_str!("book.lua"),
    include_str!("enter_book.lua"),
    "end\nlocal function record(KEYS, ARGV)\n",
    include_str!("record.lua"),
    "end\n",
    include_str!("commit.lua"),
);

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
    Script::new(fenced!("identity.lua"))
}

/// Returns the script that posts on a board.
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
    pub(super) claim: Script,
    pub(super) record: Script,
    pub(super) outcome: Script,
    pub(super) release: Script,
    pub(super) append: Script,
    pub(super) mark: Script,
    pub(super) charge_volume: Script,
    pub(super) pause: Script,
    pub(super) enter_book: Script,
    pub(super) amend_book: Script,
    pub(super) read_book: Script,
    pub(super) commit: Script,
}

impl Scripts {
    pub(super) fn new() -> Self {
        Self {
            insert: Script::new(fenced!("insert.lua")),
            find: Script::new(fenced!("find.lua")),
            claim: Script::new(concat!(
                include_str!("generation.lua"),
                include_str!("claimable.lua"),
                include_str!("claim.lua")
            )),
            record: Script::new(fenced!("record.lua")),
            outcome: Script::new(include_str!("outcome.lua")),
            release: Script::new(include_str!("release.lua")),
            append: Script::new(include_str!("append.lua")),
            mark: Script::new(include_str!("mark.lua")),
            charge_volume: Script::new(fenced!("charge_volume.lua")),
            pause: Script::new(include_str!("pause.lua")),
            enter_book: Script::new(on_book!("enter_book.lua")),
            amend_book: Script::new(on_book!("amend_book.lua")),
            read_book: Script::new(on_book!("read_book.lua")),
            commit: Script::new(COMMIT),
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
