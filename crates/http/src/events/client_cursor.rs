//! The cursor of a client's stream: its position in the ledger, encrypted. In the clear, positions would tell each client how
//! many swaps the others had signed.
//!
//! The key is derived from the generation of the store, which its replicas share. The operator sees it in the ids of events,
//! clients do not. The generation of a ledger file without entries is a constant: its only position is the beginning. A
//! cursor of another generation, client or chain cannot be decrypted.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use firmquote_desk::{EventCursor, EventPosition};
use firmquote_domain::{ChainId, Timestamp};
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use sha2::{Digest as _, Sha256};

/// Separates the key from other hashes of the generation.
const KEY_LABEL: &[u8] = b"firmquote cursor of client events\0";

/// The position and the time of a cursor, in bytes: three numbers of 64 bits.
const PLAINTEXT_LEN: usize = 24;

/// The stream that a cursor belongs to.
#[derive(Clone, Copy)]
pub(super) struct StreamOwner<'a> {
    pub(super) client: &'a str,
    pub(super) chain_id: ChainId,
}

/// Returns the text of a cursor that was sent at `now`; `None` if the system provides no randomness.
pub(super) fn encrypt(cursor: &EventCursor, owner: StreamOwner<'_>, now: Timestamp) -> Option<String> {
    let EventPosition(first, second) = cursor.ledger;
    let mut sealed: Vec<u8> = [first, second, now.as_micros()].into_iter().flat_map(u64::to_be_bytes).collect();
    let mut nonce = [0; NONCE_LEN];
    getrandom::fill(&mut nonce).ok()?;
    let key = key(&cursor.generation)?;
    key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), owner.associated_data(), &mut sealed).ok()?;
    Some(BASE64_URL_SAFE_NO_PAD.encode([&nonce[..], &sealed].concat()))
}

/// Returns the position of a cursor of this generation and owner, and when it was sent; `None` for every other text.
pub(super) fn decrypt(text: &str, generation: &str, owner: StreamOwner<'_>) -> Option<(EventPosition, Timestamp)> {
    let mut bytes = BASE64_URL_SAFE_NO_PAD.decode(text).ok()?;
    let (nonce, sealed) = bytes.split_at_mut_checked(NONCE_LEN)?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
    let plaintext = key(generation)?.open_in_place(nonce, owner.associated_data(), sealed).ok()?;
    let plaintext: &[u8; PLAINTEXT_LEN] = (&*plaintext).try_into().ok()?;
    let (numbers, _) = plaintext.as_chunks::<8>();
    let &[first, second, sent_at] = numbers else { return None };
    let [first, second, sent_at] = [first, second, sent_at].map(u64::from_be_bytes);
    Some((EventPosition(first, second), Timestamp::from_micros(sent_at)))
}

impl StreamOwner<'_> {
    fn associated_data(self) -> Aad<Vec<u8>> {
        Aad::from([&self.chain_id.get().to_be_bytes()[..], self.client.as_bytes()].concat())
    }
}

fn key(generation: &str) -> Option<LessSafeKey> {
    let digest = Sha256::new().chain_update(KEY_LABEL).chain_update(generation).finalize();
    UnboundKey::new(&CHACHA20_POLY1305, &digest).ok().map(LessSafeKey::new)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_795_222_800);

    fn cursor(generation: char) -> EventCursor {
        EventCursor {
            generation: generation.to_string().repeat(32),
            ledger: EventPosition(1_795_222_800_000, 7),
            operator: EventPosition(3, 0),
        }
    }

    fn owner(client: &str, chain_id: u64) -> StreamOwner<'_> {
        StreamOwner { client, chain_id: ChainId::new(chain_id).unwrap() }
    }

    #[test]
    fn a_cursor_is_read_by_its_own_client_on_its_own_chain_and_store_only() {
        let cursor = cursor('a');
        let text = encrypt(&cursor, owner("acme", 1), NOW).unwrap();
        assert_eq!(decrypt(&text, &cursor.generation, owner("acme", 1)), Some((cursor.ledger, NOW)));
        assert_eq!(decrypt(&text, &"b".repeat(32), owner("acme", 1)), None);
        assert_eq!(decrypt(&text, &cursor.generation, owner("other", 1)), None);
        assert_eq!(decrypt(&text, &cursor.generation, owner("acme", 10)), None);
    }

    #[test]
    fn two_cursors_of_one_position_have_nothing_in_common() {
        let [first, second] = [(); 2].map(|()| encrypt(&cursor('a'), owner("acme", 1), NOW).unwrap());
        assert_eq!(first.len(), second.len());
        let same = first.bytes().zip(second.bytes()).filter(|(one, other)| one == other).count();
        assert!(same < first.len() / 4, "{first} {second}");
    }

    #[test]
    fn altered_texts_are_not_read() {
        let cursor = cursor('a');
        let text = encrypt(&cursor, owner("acme", 1), NOW).unwrap();
        for position in 0..text.len() {
            let other = if text.as_bytes()[position] == b'A' { "B" } else { "A" };
            let altered = [&text[..position], other, &text[position + 1..]].concat();
            assert_eq!(decrypt(&altered, &cursor.generation, owner("acme", 1)), None, "{altered}");
        }
        for text in ["", "AAAA", "=", "%", &text[..text.len() - 4]] {
            assert_eq!(decrypt(text, &cursor.generation, owner("acme", 1)), None, "{text}");
        }
    }
}
