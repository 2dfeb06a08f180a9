//! Several calls in one transaction, like those of an aggregator contract.

use firmquote_domain::Address;

/// Size in bytes of the program for one call.
const PROGRAM: usize = 58;

/// Returns creation code that makes `calls` in order, from the address of the contract being created, and creates an
/// empty contract. The first call that reverts reverts the transaction with its revert data.
pub fn creation_code(calls: &[(Address, Vec<u8>)]) -> Vec<u8> {
    let mut program = Vec::new();
    let mut data = Vec::new();
    let start = calls.len() * PROGRAM + 1;
    for (target, calldata) in calls {
        let (length, offset) = (push4(calldata.len()), push4(start + data.len()));
        let after = push4(program.len() + PROGRAM - 1);
        // codecopy(0, offset, length)
        program.extend([&length[..], &offset, &[PUSH0, CODECOPY]].concat());
        // call(gas, target, 0, 0, length, 0, 0)
        program
            .extend([&[PUSH0, PUSH0][..], &length, &[PUSH0, PUSH0, PUSH20], target.as_slice(), &[GAS, CALL]].concat());
        // unless it succeeded: returndatacopy(0, 0, returndatasize), revert(0, returndatasize)
        program.extend([&after[..], &[JUMPI, RETURNDATASIZE, PUSH0, PUSH0, RETURNDATACOPY]].concat());
        program.extend([RETURNDATASIZE, PUSH0, REVERT, JUMPDEST]);
        data.extend_from_slice(calldata);
    }
    program.push(STOP);
    [program, data].concat()
}

const STOP: u8 = 0x00;
const CODECOPY: u8 = 0x39;
const RETURNDATASIZE: u8 = 0x3d;
const RETURNDATACOPY: u8 = 0x3e;
const JUMPI: u8 = 0x57;
const GAS: u8 = 0x5a;
const JUMPDEST: u8 = 0x5b;
const PUSH0: u8 = 0x5f;
const PUSH4: u8 = 0x63;
const PUSH20: u8 = 0x73;
const CALL: u8 = 0xf1;
const REVERT: u8 = 0xfd;

/// Returns the instruction that pushes a number below 2^32.
fn push4(number: usize) -> [u8; 5] {
    let [.., a, b, c, d] = number.to_be_bytes();
    [PUSH4, a, b, c, d]
}
