//! The files that a process with the memory store keeps: its pauses, revocations and estimates, the samples of its
//! pools and the positions of its webhooks.

mod blocking;
mod exclusive_file;
mod named_texts_file;
mod pause_file;
mod sample_file;
mod state_file;

pub(crate) use self::exclusive_file::{create_new, try_lock};
pub use self::{
    exclusive_file::replace_file,
    named_texts_file::NamedTextsFile,
    pause_file::{PauseFile, PauseFileState},
    sample_file::SampleFile,
};
