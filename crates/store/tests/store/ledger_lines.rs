//! The lines of the ledger, byte for byte, and which lines of other versions can still be read.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::fs;

use firmquote_domain::{
    Amount, Client, FixedSide, NativeSide, Quote, SignedQuote, SignedSwap, SwapOutcome, SwapState, Terms, Timestamp,
};
use firmquote_store::{
    conformance::{sample_quote, sample_settlement, sample_signed, sample_swap, sample_terms},
    ledger::{RestoredLedger, line, outcome_line, restore},
};

const QUOTED_AT: Timestamp = Timestamp::from_seconds(1_700_000_000);
const SIGNED_AT: Timestamp = Timestamp::from_seconds(1_700_000_001);
const NOW: Timestamp = Timestamp::from_seconds(1_700_000_010);

const SIGNED: &str = concat!(
    r#"{"event":"signed","quote_id":"01010101-0101-0101-0006-0a24181e4000","client":null,"chain_id":1,"#,
    r#""pool":"0x0909090909090909090909090909090909090909","#,
    r#""input":{"token":"0x0101010101010101010101010101010101010101","decimals":18,"#,
    r#""amount":"10000000000000000000","price_usd":"2080.527","reserve":"476877882758190421102"},"#,
    r#""output":{"token":"0x0202020202020202020202020202020202020202","decimals":6,"amount":"20661947917","#,
    r#""price_usd":"1","reserve":"417751254142"},"fixed":"input","fee_in_basis_points":"8.63","time_in_seconds":60,"block":7,"#,
    r#""state_id":"01010101010101010101010101010101","#,
    r#""created_at_us":1700000000000000,"must_accept_by_us":1700000012000000,"expires_at":1700000072,"#,
    r#""good_until":"1700000072","destination":"0x0707070707070707070707070707070707070707","#,
    r#""sender":"0x0707070707070707070707070707070707070707","#,
    r#""aux_data":"0x0000000000000000000000000000000000000000000000000000000000000000","native":"neither","#,
    r#""transmit":false,"requires_guarantee":false,"execution":"best_effort","signature":{"v":27,"#,
    r#""r":"0x0101010101010101010101010101010101010101010101010101010101010101","#,
    r#""s":"0x0101010101010101010101010101010101010101010101010101010101010101"},"#,
    r#""signed_at_us":1700000001000000}"#,
);
const GUARANTEED: &str = concat!(
    r#"{"event":"signed","quote_id":"02020202-0202-0202-0006-0a24181e4000","client":"a \"b\"\\é\n","chain_id":1,"#,
    r#""pool":"0x0909090909090909090909090909090909090909","#,
    r#""input":{"token":"0x0101010101010101010101010101010101010101","decimals":18,"#,
    r#""amount":"10000000000000000000","price_usd":"2080.527","reserve":"476877882758190421102"},"#,
    r#""output":{"token":"0x0202020202020202020202020202020202020202","decimals":6,"amount":"20661947917","#,
    r#""price_usd":"1","reserve":"417751254142"},"fixed":"output","fee_in_basis_points":"8.63","time_in_seconds":60,"block":null,"#,
    r#""state_id":"02020202020202020202020202020202","#,
    r#""levels":{"id":"03030303030303030303030303030303","output":"20661947916","#,
    r#""budget_left":"115792089237316195423570985008687907853269984665640564039457584007913129639935"},"#,
    r#""created_at_us":1700000000000000,"must_accept_by_us":1700000012000000,"expires_at":1700000072,"#,
    r#""good_until":"1700000072","destination":"0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB","#,
    r#""sender":"0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB","#,
    r#""aux_data":"0x0000000000000000000000000000000000000000000000000000000000000000","native":"output","#,
    r#""transmit":true,"requires_guarantee":true,"execution":"guaranteed","#,
    r#""guarantee":{"max_input":"115792089237316195423570985008687907853269984665640564039457584007913129639935","#,
    r#""min_output":"6"},"signature":{"v":28,"#,
    r#""r":"0x0606060606060606060606060606060606060606060606060606060606060606","#,
    r#""s":"0x0101010101010101010101010101010101010101010101010101010101010101"},"#,
    r#""signed_at_us":1700000001000000}"#,
);
const SETTLED: &str = concat!(
    r#"{"event":"settled","quote_id":"01010101-0101-0101-0006-0a24181e4000","client":null,"chain_id":1,"#,
    r#""pool":"0x0909090909090909090909090909090909090909","#,
    r#""transaction_hash":"0x0707070707070707070707070707070707070707070707070707070707070707","log_index":3,"#,
    r#""block_number":21000000,"block_timestamp":1700000001,"input_amount":"10000000000000000000","#,
    r#""output_amount":"115792089237316195423570985008687907853269984665640564039457584007913129639935","#,
    r#""recorded_at_us":1700000000000000}"#,
);
const LAPSED: &str = concat!(
    r#"{"event":"lapsed","quote_id":"01010101-0101-0101-0006-0a24181e4000","client":null,"chain_id":1,"#,
    r#""pool":"0x0909090909090909090909090909090909090909","recorded_at_us":1700000000000000}"#,
);
const REORGED: &str = concat!(
    r#"{"event":"reorged","quote_id":"01010101-0101-0101-0006-0a24181e4000","client":null,"chain_id":1,"#,
    r#""pool":"0x0909090909090909090909090909090909090909","recorded_at_us":1700000000000000}"#,
);

/// Best effort, for a client without a name.
fn signed() -> SignedQuote {
    sample_signed(&sample_quote(1, QUOTED_AT), sample_terms(7), 1)
}

/// Guaranteed, without a block, for a client whose name needs escapes.
fn guaranteed() -> SignedQuote {
    let mut quote = sample_quote(2, QUOTED_AT);
    quote.client = Client::Named("a \"b\"\\\u{e9}\n".into());
    quote.block = None;
    quote.fixed = FixedSide::Output;
    quote.levels = sample_quote(3, QUOTED_AT).levels;
    let terms = Terms { native: NativeSide::Output, transmit: true, guarantee: true, ..sample_terms(0xab) };
    sample_signed(&quote, terms, 6)
}

/// The books of a file with these lines.
fn restored(lines: &[&str]) -> RestoredLedger {
    restored_at(NOW, lines)
}

fn restored_at(now: Timestamp, lines: &[&str]) -> RestoredLedger {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), lines.join("\n") + "\n").expect("written");
    restore(file.path(), 86_400, now).expect("readable")
}

#[test]
fn lines_are_written_as_ever() {
    let signed = signed();
    assert_eq!(line(&signed).expect("JSON"), SIGNED);
    assert_eq!(line(&guaranteed()).expect("JSON"), GUARANTEED);
    let swap = sample_swap(&signed);
    let settled = SwapOutcome::Settled(sample_settlement(&signed));
    for (outcome, expected) in [(Some(settled), SETTLED), (Some(SwapOutcome::Lapsed), LAPSED), (None, REORGED)] {
        assert_eq!(outcome_line(&swap, outcome, QUOTED_AT).expect("JSON"), expected);
    }
}

#[test]
fn written_lines_are_read_back() {
    for (line, signed) in [(SIGNED, signed()), (GUARANTEED, guaranteed())] {
        let RestoredLedger { swaps, signatures, since, invalid_lines } = restored(&[line]);
        let expected = SignedSwap { block: signed.quote.block, ..sample_swap(&signed) };
        assert_eq!((swaps.len(), since, invalid_lines), (1, Some(SIGNED_AT), 0));
        assert_eq!((&*swaps[0].swap, swaps[0].state), (&expected, SwapState::Outstanding));
        let quote = Quote { source_network: None, ..signed.quote };
        assert_eq!(signatures, [(SignedQuote { quote, ..signed }, None)]);
    }
}

#[test]
fn lines_of_other_versions_are_read_as_far_as_they_describe_the_swap() {
    let expected = restored(&[GUARANTEED]);
    // Members that do not describe the swap may be missing, and have any form.
    for (member, other) in [
        (r#""fee_in_basis_points":"8.63","#, ""),
        (r#""fee_in_basis_points":"8.63""#, r#""fee_in_basis_points":-1"#),
        (r#""execution":"guaranteed","#, ""),
        (r#""execution":"guaranteed""#, r#""execution":{}"#),
        (r#""time_in_seconds":60,"#, r#""time_in_seconds":"60","#),
        (r#","aux_data":"0x0000000000000000000000000000000000000000000000000000000000000000""#, ""),
        (r#""decimals":18,"#, ""),
        (r#""price_usd":"2080.527""#, r#""price_usd":null"#),
        (r#""v":28,"#, ""),
        (r#""block":null,"#, ""),
        (r#""event":"signed","#, r#""event":"signed","added":[1],"#),
        ("0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB", "0xabababababababababababababababababababab"),
        (r#""client":"a \"b\""#, r#""client":"a \u0022b\u0022"#),
    ] {
        let older = GUARANTEED.replace(member, other);
        assert_ne!(older, GUARANTEED, "{member}");
        let found = restored(&[&older]);
        assert_eq!((&found.swaps, found.since, found.invalid_lines), (&expected.swaps, expected.since, 0), "{older}");
    }
    let anonymous = GUARANTEED.replace(r#""client":"a \"b\"\\é\n","#, "");
    assert_eq!(restored(&[&anonymous]).swaps[0].swap.client, Client::Anonymous);
    let without_guarantee = GUARANTEED.replace(r#""guarantee":{"#, r#""bounds":{"#);
    assert_eq!(restored(&[&without_guarantee]).swaps[0].swap.guarantee, None);
}

#[test]
fn signatures_that_cannot_be_read_make_the_books_incomplete() {
    for (member, other) in [
        (r#""chain_id":1,"#, ""),
        (r#""chain_id":1,"#, r#""chain_id":0,"#),
        (r#""native":"output""#, r#""native":"both""#),
        ("0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB", "0xAbaBaBaBABabABabAbAbABAbABabababaBaBABaB"),
        (r#""amount":"20661947917""#, r#""amount":"-1""#),
        (r#""min_output":"6""#, r#""min_output":6"#),
        (r#""good_until":"1700000072""#, r#""good_until":"soon""#),
        (r#""destination""#, r#""recipient""#),
    ] {
        let unreadable = GUARANTEED.replace(member, other);
        assert_ne!(unreadable, GUARANTEED, "{member}");
        let RestoredLedger { swaps, since, invalid_lines, .. } = restored(&[SIGNED, &unreadable]);
        assert_eq!((swaps.len(), since, invalid_lines), (1, Some(NOW), 1), "{unreadable}");
    }
    for (member, other) in [(r#""event":"signed","#, ""), (r#""quote_id":"#, r#""quote":"#)] {
        let damaged = GUARANTEED.replace(member, other);
        let RestoredLedger { swaps, since, invalid_lines, .. } = restored(&[SIGNED, &damaged]);
        assert_eq!((swaps.len(), since, invalid_lines), (1, Some(NOW), 1), "{damaged}");
    }
    // Any damaged byte of a name, and a line that was cut.
    for position in [2, 12, 23, 40] {
        let mut damaged = GUARANTEED.as_bytes().to_vec();
        damaged[position] ^= 1;
        for damaged in [String::from_utf8(damaged).expect("ASCII"), GUARANTEED[..position].to_owned()] {
            let RestoredLedger { swaps, since, invalid_lines, .. } = restored(&[SIGNED, &damaged]);
            let is_restored = swaps.len() == 2;
            assert_eq!(
                (since, invalid_lines),
                if is_restored { (Some(SIGNED_AT), 0) } else { (Some(NOW), 1) },
                "{damaged}"
            );
            let later = SIGNED.replace("1700000001000000", "1700000005000000");
            let since_next = restored(&[SIGNED, &damaged, &later]).since;
            assert!(is_restored || since_next == Some(Timestamp::from_seconds(1_700_000_005)), "{damaged}");
        }
    }
}

#[test]
fn outcomes_are_read_by_their_event_and_block() {
    let state = |outcome: &str| {
        let RestoredLedger { swaps, invalid_lines, .. } = restored(&[SIGNED, outcome]);
        (swaps[0].state, invalid_lines)
    };
    assert_eq!(state(LAPSED), (SwapState::Lapsed(Some(7)), 0));
    // Whether an execution is still on the chain is for the chain to tell.
    assert_eq!(state(SETTLED), (SwapState::Outstanding, 0));
    assert_eq!(state(REORGED), (SwapState::Outstanding, 0));
    assert_eq!(state(&LAPSED.replace("lapsed", "forgotten")), (SwapState::Outstanding, 1), "of another version");
    assert_eq!(state(&SETTLED.replace(r#""block_number":21000000,"#, "")), (SwapState::Outstanding, 1));
    assert_eq!(state(&SETTLED.replace(r#""log_index":3,"#, "")), (SwapState::Outstanding, 0));
    assert_eq!(state(&LAPSED.replace(r#""chain_id":1,"#, "")), (SwapState::Lapsed(Some(7)), 0));
    assert_eq!(state(&LAPSED.replace(r#""client":null,"#, r#""client":7,"#)), (SwapState::Lapsed(Some(7)), 0));
    assert_eq!(state(&SETTLED.replace(r#""block_number":21000000"#, r#""block_number":"x""#)).1, 1);
    // One that this version does not know changes no state, and may be a damaged signature.
    let RestoredLedger { swaps, since, invalid_lines, .. } =
        restored(&[SIGNED, LAPSED, &SETTLED.replace("settled", "hedged")]);
    assert_eq!((swaps[0].state, since, invalid_lines), (SwapState::Lapsed(Some(7)), Some(NOW), 1));
}

#[test]
fn signatures_are_restored_with_their_outcome_while_their_status_is_retained() {
    let settled = || Some(SwapOutcome::Settled(sample_settlement(&signed())));
    for (lines, outcome) in [
        (&[SIGNED][..], None),
        (&[SIGNED, SETTLED], settled()),
        (&[SIGNED, SETTLED, REORGED], None),
        (&[SIGNED, REORGED, LAPSED], Some(SwapOutcome::Lapsed)),
        (&[SIGNED, SETTLED, GUARANTEED], settled()),
        (&[SIGNED, SIGNED, SETTLED], settled()),
    ] {
        let found = restored(lines).signatures;
        let of_first = found.iter().find(|(found, _)| found.quote.id == signed().quote.id).expect("restored");
        assert_eq!((of_first.0.signature, of_first.1), (signed().signature, outcome));
    }
    let end = Timestamp::from_seconds(1_700_000_072 + 86_400);
    assert_eq!(restored_at(end, &[SIGNED]).signatures.len(), 1);
    assert_eq!(restored_at(end.plus_seconds(1), &[SIGNED]).signatures, []);
    // An entry of an earlier version does not say all of it.
    for member in [r#","reserve":"417751254142""#, r#""fixed":"input","#, r#""requires_guarantee":false,"#] {
        let older = SIGNED.replace(member, "");
        assert_ne!(older, SIGNED);
        let RestoredLedger { swaps, signatures, invalid_lines, .. } = restored(&[&older]);
        assert_eq!((swaps.len(), signatures.len(), invalid_lines), (1, 0, 0), "{older}");
    }
}

#[test]
fn an_id_that_is_signed_again_after_its_first_signature_expired_is_that_of_the_second() {
    for (seconds, is_second) in [(10, false), (300, true)] {
        let mut again = signed();
        again.signed_at = again.signed_at.plus_seconds(seconds);
        again.quote.output.amount = Amount::ONE;
        let RestoredLedger { signatures, .. } = restored(&[SIGNED, &line(&again).expect("JSON")]);
        let [(restored, None)] = &signatures[..] else { panic!("{signatures:?}") };
        assert_eq!(restored.quote.output.amount == Amount::ONE, is_second, "{seconds}");
    }
}

#[test]
fn an_expired_swap_that_was_executed_in_part_still_counts_for_its_client() {
    let expired = QUOTED_AT.plus_seconds(80);
    for (input_amount, expected) in [
        ("4999999999999999999", SwapState::PartlySettled(21_000_000)),
        ("5000000000000000000", SwapState::Settled(21_000_000)),
    ] {
        let settled = SETTLED.replace("10000000000000000000", input_amount);
        let RestoredLedger { swaps, .. } = restored_at(expired, &[SIGNED, &settled]);
        assert_eq!(swaps[0].state, expected, "{input_amount}");
    }
}
