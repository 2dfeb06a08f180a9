//! An entry point of the fuzz target `feeds`: the body of a Hermes response, in frames of any size.
//!
//! Compiled for fuzzing and for the test that replays the target's corpus; not part of any program.

use hyper::body::Bytes;

use super::{stream, update::updates};
use crate::fuzzing::check_error_text;

/// Reads `data` as a body in one frame and in two, and parses every event in it.
///
/// # Panics
/// If the framing makes a difference, or an error is not one short line.
pub fn body(data: &[u8]) {
    let events = events([data]);
    for middle in [1, data.len() / 2] {
        let Some((first, second)) = data.split_at_checked(middle) else { continue };
        assert_eq!(self::events([first, second]), events, "cut after {middle} bytes");
    }
    events.iter().for_each(|event| self::event(event));
    event(&String::from_utf8_lossy(data));
}

/// Returns the data of all updates.
fn events<const FRAMES: usize>(frames: [&[u8]; FRAMES]) -> Vec<String> {
    let (mut decoder, mut found) = (stream::decoder(), Vec::new());
    for frame in frames {
        let mut bytes = Bytes::copy_from_slice(frame);
        while let Some(event) = decoder.next(&mut bytes) {
            match stream::update(event) {
                Ok(update) => found.extend(update),
                Err(error) => check_error_text(&error),
            }
        }
    }
    found
}

fn event(data: &str) {
    match updates(data) {
        Ok(updates) => {
            for update in updates {
                match update.map(|update| update.observation()) {
                    Ok(Ok(_)) => {}
                    Ok(Err(error)) => check_error_text(&error),
                    Err(error) => check_error_text(&error),
                }
            }
        }
        Err(error) => check_error_text(&error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use firmquote_test_corpus::replay;

    #[test]
    fn hermes_bodies_pass_the_fuzz_corpus() {
        replay("feeds", body);
    }
}
