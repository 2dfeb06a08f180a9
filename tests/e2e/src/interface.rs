//! Solidity interfaces of the contracts, limited to what tests use and `firmquote-calldata` does not encode.

use alloy_sol_types::sol;

sol! {
    /// A token that any account can mint; also used for the token functions of wrapped native.
    contract TestToken {
        constructor(string tokenName, string tokenSymbol, uint8 tokenDecimals);
        function mint(address account, uint256 amount) external;
        function transfer(address to, uint256 amount) external returns (bool);
        function approve(address spender, uint256 amount) external returns (bool);
        function balanceOf(address account) external view returns (uint256);
    }

    /// The native coin as a token.
    contract WrappedNative {
        constructor();
        function deposit() external payable;
    }

    /// The EIP-712 struct that is signed for a pool.
    struct OfferStruct {
        address input_token;
        address output_token;
        uint256 input_amount;
        uint256 output_amount;
        uint256 good_until;
        address destination_address;
    }

    /// The owner's functions, one swap function with unchecked arguments, and the errors of a pool.
    contract FirmquotePool {
        constructor(
            address designatedSigner, address wrapper, string domainName, string domainVersion, address[] tokens
        );
        function deposit(uint256[] amounts, uint256 poolTokens) external;
        function withdraw(uint256 poolTokens) external;
        function allTokensBalance()
            external
            view
            returns (uint256[] balances, address[] tokens, uint256 totalSupply);
        function usedDigest(bytes32 digest) external view returns (bool);

        struct Signature {
            uint8 v;
            bytes32 r;
            bytes32 s;
        }
        function transmitAndSwap(
            address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 goodUntil,
            address destinationAddress, Signature theSignature, bytes auxiliaryData
        ) external;

        error UnlistedToken(address token);
        error SameToken(address token);
        error ZeroAmount();
        error WrongSigner(address recovered);
        error AlreadyUsed(bytes32 digest);
        error InputTooSmall(uint256 received);
        error InsufficientValue(uint256 sent, uint256 stated);
        error ReserveExceeded(uint256 reserve, uint256 output);
        error ZeroField();
        error InvariantNotIncreased();
        error Expired(uint256 unixTime);
        error ECDSAInvalidSignature();
        error ECDSAInvalidSignatureS(bytes32 s);
        error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed);
    }

    /// A mock price feed.
    contract MockAggregator {
        constructor();
        struct Round {
            uint80 roundId;
            int256 answer;
            uint256 startedAt;
            uint256 updatedAt;
            uint80 answeredInRound;
        }
        function set(uint8 newDecimals, Round round) external;
    }

    /// The invariant check of a packed offer, step by step.
    contract InvariantHarness {
        constructor();
        function check(
            uint256 qX, uint256 qXAfter, uint256 pX, uint256 wX,
            uint256 qY, uint256 qYAfter, uint256 pY, uint256 wY,
            uint256 k
        ) external pure returns (bool);
        function scale(uint256 amount, uint8 decimals) external pure returns (uint256);
    }
}
