// SPDX-License-Identifier: MIT OR Apache-2.0
pragma solidity 0.8.37;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {Invariant} from "./Invariant.sol";

/// @notice The functions of the chain's wrapped-native contract that the pool needs besides ERC-20.
interface IWrapper {
    function deposit() external payable;
    function withdraw(uint256 amount) external;
}

/// @title A pool that honours the swap offers of one signer
/// @notice A reference, not a vault: unaudited, intended for reading and for tests. Do not put money into it.
///
/// An offer is an EIP-712 `OfferStruct` signed by {DESIGNATED_SIGNER}. It names the exact amounts, but neither
/// the caller nor the function. {WRAPPER_CONTRACT} stands for the native coin in the struct. `good_until` is
/// either plain Unix seconds or, above 32503708800, packed; a packed offer executes only if the pair's invariant
/// strictly grows (see {Invariant}).
///
/// Differences from deployed pools of this kind:
/// - Every signature is single-use: the pool remembers the digests it has honoured. Two offers with the same six values
///   are one offer and execute once.
/// - A packed offer with a price or a weight of zero reverts, where it would void the check.
/// - Offers with a zero amount revert, as does a push function that would pay nothing. Otherwise anyone could use up a
///   pending offer for free. A small push still uses it up, but pays `destination_address` in proportion.
/// - Swaps that share a token may be in the same transaction and in the same block.
///
/// The pool prices from its books, not from `balanceOf`. Tokens sent here outside a call are credited to the next
/// caller that pushes the token through `swap` or `sellTokenForEth`. Fee-on-transfer and rebasing tokens break the
/// books.
contract FirmquotePool is ERC20, EIP712, Ownable, ReentrancyGuard {
    using SafeERC20 for IERC20;

    struct Signature {
        uint8 v;
        bytes32 r;
        bytes32 s;
    }

    /// @dev The signed values, in the order of the EIP-712 struct.
    struct Offer {
        address inputToken;
        address outputToken;
        uint256 inputAmount;
        uint256 outputAmount;
        uint256 goodUntil;
        address destinationAddress;
    }

    /// @dev The amounts that enter and leave the books in one swap.
    struct Movement {
        uint256 input;
        uint256 output;
    }

    struct Listing {
        bool listed;
        uint8 decimals;
    }

    bytes32 private constant OFFER_TYPEHASH = keccak256(
        "OfferStruct(address input_token,address output_token,uint256 input_amount,uint256 output_amount,uint256 good_until,address destination_address)"
    );
    /// @dev The largest `good_until` that is read as Unix seconds.
    uint256 private constant MAX_PLAIN_GOOD_UNTIL = 32503708800;
    /// @dev A delivered input counts in steps of 1e-10 of the signed one, and at most as 1.005 times the signed one.
    uint256 private constant FRACTION_UNIT = 1e10;
    uint256 private constant MAX_FRACTION = 10_050_000_000;
    uint8 private constant MAX_DECIMALS = 24;

    address public immutable DESIGNATED_SIGNER;
    address public immutable WRAPPER_CONTRACT;

    /// @notice The EIP-712 digests that were honoured.
    mapping(bytes32 digest => bool) public usedDigest;

    address[] private _tokens;
    mapping(address token => Listing) private _listings;
    mapping(address token => uint256) private _lastBalances;

    /// @notice `inAmount` and `outAmount` are the amounts that entered and left the books; push functions measure them.
    event Swapped(
        address indexed inAsset,
        address indexed outAsset,
        address indexed recipient,
        uint256 inAmount,
        uint256 outAmount,
        bytes auxiliaryData
    );

    error DuplicateToken(address token);
    error TooManyDecimals(address token, uint8 decimals);
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
    error NotWrapper(address sender);
    error WrongLength(uint256 given, uint256 expected);

    /// @param designatedSigner the account whose signatures are offers of this pool
    /// @param wrapper the wrapped-native contract; must be among the tokens for native swaps to work
    /// @param domainName the EIP-712 domain name, 31 bytes at most
    /// @param domainVersion the EIP-712 domain version, 31 bytes at most
    /// @param tokens the listed tokens, in the order of {tokenAt}; 24 decimals each at most
    constructor(
        address designatedSigner,
        address wrapper,
        string memory domainName,
        string memory domainVersion,
        address[] memory tokens
    ) ERC20("Firmquote Pool", "FQP") EIP712(domainName, domainVersion) Ownable(msg.sender) {
        DESIGNATED_SIGNER = designatedSigner;
        WRAPPER_CONTRACT = wrapper;
        for (uint256 i = 0; i < tokens.length; ++i) {
            address token = tokens[i];
            uint8 tokenDecimals = IERC20Metadata(token).decimals();
            if (_listings[token].listed) revert DuplicateToken(token);
            if (tokenDecimals > MAX_DECIMALS) revert TooManyDecimals(token, tokenDecimals);
            _listings[token] = Listing({listed: true, decimals: tokenDecimals});
        }
        _tokens = tokens;
    }

    /// @notice Accepts native coin only from the wrapper, when the pool unwraps a payout.
    receive() external payable {
        if (msg.sender != WRAPPER_CONTRACT) revert NotWrapper(msg.sender);
    }

    // Swaps

    /// @notice Token to token; the input is already in the pool.
    function swap(
        address inputToken,
        address outputToken,
        uint256 inputAmount,
        uint256 outputAmount,
        uint256 goodUntil,
        address destinationAddress,
        Signature calldata theSignature,
        bytes calldata auxiliaryData
    ) external nonReentrant {
        Offer memory offer =
            Offer(inputToken, outputToken, inputAmount, outputAmount, goodUntil, destinationAddress);
        _accept(offer, theSignature);
        Movement memory movement = _measure(offer);
        _settle(offer, movement);
        _payToken(offer, movement);
        _emitSwapped(offer, movement, auxiliaryData);
    }

    /// @notice Token to token; the input is pulled from the caller.
    function transmitAndSwap(
        address inputToken,
        address outputToken,
        uint256 inputAmount,
        uint256 outputAmount,
        uint256 goodUntil,
        address destinationAddress,
        Signature calldata theSignature,
        bytes calldata auxiliaryData
    ) external nonReentrant {
        Offer memory offer =
            Offer(inputToken, outputToken, inputAmount, outputAmount, goodUntil, destinationAddress);
        _accept(offer, theSignature);
        Movement memory movement = Movement({input: inputAmount, output: outputAmount});
        _settle(offer, movement);
        _pullInput(offer);
        _payToken(offer, movement);
        _emitSwapped(offer, movement, auxiliaryData);
    }

    /// @notice Native coin to token. The whole value enters the books and the invariant, including any excess over the
    /// input, which buys nothing.
    function sellEthForToken(
        address outputToken,
        uint256 inputAmount,
        uint256 outputAmount,
        uint256 goodUntil,
        address destinationAddress,
        Signature calldata theSignature,
        bytes calldata auxiliaryData
    ) external payable nonReentrant {
        Offer memory offer =
            Offer(WRAPPER_CONTRACT, outputToken, inputAmount, outputAmount, goodUntil, destinationAddress);
        _accept(offer, theSignature);
        if (msg.value < inputAmount) revert InsufficientValue(msg.value, inputAmount);
        Movement memory movement = Movement({input: msg.value, output: outputAmount});
        _settle(offer, movement);
        IWrapper(WRAPPER_CONTRACT).deposit{value: msg.value}();
        _payToken(offer, movement);
        _emitSwapped(offer, movement, auxiliaryData);
    }

    /// @notice Token to native coin; the input is already in the pool.
    function sellTokenForEth(
        address inputToken,
        uint256 inputAmount,
        uint256 outputAmount,
        uint256 goodUntil,
        address destinationAddress,
        Signature calldata theSignature,
        bytes calldata auxiliaryData
    ) external nonReentrant {
        Offer memory offer =
            Offer(inputToken, WRAPPER_CONTRACT, inputAmount, outputAmount, goodUntil, destinationAddress);
        _accept(offer, theSignature);
        Movement memory movement = _measure(offer);
        _settle(offer, movement);
        _payNative(offer, movement);
        _emitSwapped(offer, movement, auxiliaryData);
    }

    /// @notice Token to native coin; the input is pulled from the caller.
    function transmitAndSellTokenForEth(
        address inputToken,
        uint256 inputAmount,
        uint256 outputAmount,
        uint256 goodUntil,
        address destinationAddress,
        Signature calldata theSignature,
        bytes calldata auxiliaryData
    ) external nonReentrant {
        Offer memory offer =
            Offer(inputToken, WRAPPER_CONTRACT, inputAmount, outputAmount, goodUntil, destinationAddress);
        _accept(offer, theSignature);
        Movement memory movement = Movement({input: inputAmount, output: outputAmount});
        _settle(offer, movement);
        _pullInput(offer);
        _payNative(offer, movement);
        _emitSwapped(offer, movement, auxiliaryData);
    }

    // Liquidity

    /// @notice Pulls `amounts[i]` of {tokenAt}(i) from the owner and mints `poolTokens` to the owner, who chooses
    /// their number.
    function deposit(uint256[] calldata amounts, uint256 poolTokens) external onlyOwner nonReentrant {
        if (amounts.length != _tokens.length) revert WrongLength(amounts.length, _tokens.length);
        _mint(msg.sender, poolTokens);
        for (uint256 i = 0; i < amounts.length; ++i) {
            if (amounts[i] == 0) continue;
            address token = _tokens[i];
            _lastBalances[token] += amounts[i];
            IERC20(token).safeTransferFrom(msg.sender, address(this), amounts[i]);
        }
    }

    /// @notice Burns `poolTokens` of the caller and pays the same share of every book, rounded down.
    function withdraw(uint256 poolTokens) external nonReentrant {
        if (poolTokens == 0) revert ZeroAmount();
        uint256 supply = totalSupply();
        _burn(msg.sender, poolTokens);
        for (uint256 i = 0; i < _tokens.length; ++i) {
            address token = _tokens[i];
            uint256 share = Math.mulDiv(_lastBalances[token], poolTokens, supply);
            if (share == 0) continue;
            _lastBalances[token] -= share;
            IERC20(token).safeTransfer(msg.sender, share);
        }
    }

    // Reads

    /// @notice The books of all tokens, the tokens, and the supply of pool tokens.
    function allTokensBalance()
        external
        view
        returns (uint256[] memory balances, address[] memory tokens, uint256 totalSupply_)
    {
        tokens = _tokens;
        balances = new uint256[](tokens.length);
        for (uint256 i = 0; i < tokens.length; ++i) {
            balances[i] = _lastBalances[tokens[i]];
        }
        totalSupply_ = totalSupply();
    }

    function nTokens() external view returns (uint256) {
        return _tokens.length;
    }

    function tokenAt(uint256 index) external view returns (address) {
        return _tokens[index];
    }

    /// @notice The pool's book of a token, in base units; zero for a token that is not listed.
    function getLastBalance(address token) external view returns (uint256) {
        return _lastBalances[token];
    }

    // Steps of a swap, in the order in which they run

    /// @dev Checks the tokens, the amounts and the signature, and marks the signature as used.
    function _accept(Offer memory offer, Signature calldata signature) private {
        if (!_listings[offer.inputToken].listed) revert UnlistedToken(offer.inputToken);
        if (!_listings[offer.outputToken].listed) revert UnlistedToken(offer.outputToken);
        if (offer.inputToken == offer.outputToken) revert SameToken(offer.inputToken);
        if (offer.inputAmount == 0 || offer.outputAmount == 0) revert ZeroAmount();

        bytes32 digest = _hashTypedDataV4(keccak256(abi.encode(OFFER_TYPEHASH, offer)));
        address recovered = ECDSA.recover(digest, signature.v, signature.r, signature.s);
        if (recovered != DESIGNATED_SIGNER) revert WrongSigner(recovered);
        if (usedDigest[digest]) revert AlreadyUsed(digest);
        usedDigest[digest] = true;
    }

    /// @dev The amount delivered beyond the books, and the output it buys. The fraction of the signed input and the
    /// output are both rounded down, in favour of the pool.
    function _measure(Offer memory offer) private view returns (Movement memory movement) {
        movement.input = IERC20(offer.inputToken).balanceOf(address(this)) - _lastBalances[offer.inputToken];
        uint256 fraction = Math.min(movement.input * FRACTION_UNIT / offer.inputAmount, MAX_FRACTION);
        movement.output = offer.outputAmount * fraction / FRACTION_UNIT;
        if (movement.output == 0) revert InputTooSmall(movement.input);
    }

    /// @dev Checks reserve, invariant and expiry, in this order, and writes the books.
    function _settle(Offer memory offer, Movement memory movement) private {
        uint256 reserve = _lastBalances[offer.outputToken];
        if (movement.output > reserve) revert ReserveExceeded(reserve, movement.output);

        uint256 unixTime = offer.goodUntil;
        if (unixTime > MAX_PLAIN_GOOD_UNTIL) {
            _checkInvariant(offer, movement);
            unixTime = uint32(offer.goodUntil);
        }
        if (block.timestamp > unixTime) revert Expired(unixTime);

        _lastBalances[offer.inputToken] += movement.input;
        _lastBalances[offer.outputToken] = reserve - movement.output;
    }

    /// @dev Unpacks `good_until`. From the high bits: input price (64), output price (64), k (64), input weight (16),
    /// output weight (16), Unix seconds (32).
    function _checkInvariant(Offer memory offer, Movement memory movement) private view {
        uint256 packed = offer.goodUntil;
        Invariant.Side memory input = _side(offer.inputToken, packed >> 192, uint16(packed >> 48));
        Invariant.Side memory output = _side(offer.outputToken, uint64(packed >> 128), uint16(packed >> 32));

        input.quantityAfter = _quantity(offer.inputToken, _lastBalances[offer.inputToken] + movement.input);
        output.quantityAfter = _quantity(offer.outputToken, _lastBalances[offer.outputToken] - movement.output);
        if (!Invariant.grows(input, output, uint64(packed >> 64))) revert InvariantNotIncreased();
    }

    function _side(address token, uint256 price, uint256 weight) private view returns (Invariant.Side memory side) {
        if (price == 0 || weight == 0) revert ZeroField();
        side.quantityBefore = _quantity(token, _lastBalances[token]);
        side.price = price;
        side.weight = weight;
    }

    function _quantity(address token, uint256 amount) private view returns (uint256) {
        return Invariant.scale(amount, _listings[token].decimals);
    }

    function _pullInput(Offer memory offer) private {
        IERC20(offer.inputToken).safeTransferFrom(msg.sender, address(this), offer.inputAmount);
    }

    function _payToken(Offer memory offer, Movement memory movement) private {
        IERC20(offer.outputToken).safeTransfer(offer.destinationAddress, movement.output);
    }

    function _payNative(Offer memory offer, Movement memory movement) private {
        IWrapper(WRAPPER_CONTRACT).withdraw(movement.output);
        Address.sendValue(payable(offer.destinationAddress), movement.output);
    }

    function _emitSwapped(Offer memory offer, Movement memory movement, bytes calldata auxiliaryData) private {
        emit Swapped(
            offer.inputToken,
            offer.outputToken,
            offer.destinationAddress,
            movement.input,
            movement.output,
            auxiliaryData
        );
    }
}
