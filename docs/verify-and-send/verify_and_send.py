"""Has a swap of two tokens quoted and signed, checks all of it against what is pinned in the environment, and sends it."""
import datetime, json, sys, time, urllib.error, urllib.parse, urllib.request, uuid
from os import environ

from eth_abi import decode, encode
from eth_account import Account
from eth_account.messages import encode_typed_data
from eth_utils import function_signature_to_4byte_selector, to_checksum_address
from eth_utils.abi import event_abi_to_log_topic, function_abi_to_4byte_selector, get_abi_input_names, get_abi_input_types

step = "preparation"
sys.excepthook = lambda kind, error, trace: print(f"stopped at the {step}: {kind.__name__}: {error}", file=sys.stderr)

def same(found, expected):
    """Whether `found` has these members; bytes count as hex, hex in any case."""
    text = lambda value: "0x" + value.hex() if isinstance(value, bytes) else str(value).lower()
    for name, value in expected.items():
        if text(found.get(name)) != text(value):
            raise ValueError(f"{name} is {text(found.get(name))}, not {text(value)}")

class RefusedRedirects(urllib.request.HTTPRedirectHandler):
    """Redirects are errors: urllib would send the API key to wherever one leads."""
    def redirect_request(self, *_):
        return None

opener = urllib.request.build_opener(RefusedRedirects)

def ask(url, body=None, **headers):
    request = urllib.request.Request(url, body and json.dumps(body).encode(), {"content-type": "application/json", **headers})
    try:
        return json.load(opener.open(request, timeout=10))
    except urllib.error.HTTPError as error:
        raise ValueError(f"HTTP {error.code}: {error.read().decode()}") from None

def rpc(method, *params):
    answer = ask(environ["NODE_URL"], {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    same({"error": answer.get("error")}, {"error": None})
    return answer["result"]

number = lambda method, *params: int(rpc(method, *params), 16)

def call(signature, *values):
    kinds = signature.partition("(")[2].rstrip(")").split(",")
    return "0x" + (function_signature_to_4byte_selector(signature) + encode(kinds, values)).hex()

def send(to, data):
    gas = number("eth_estimateGas", {"from": taker, "to": to, "data": data})  # runs it, and fails where it would revert
    price, nonce = number("eth_gasPrice"), number("eth_getTransactionCount", taker, "pending")
    signed = account.sign_transaction({"chainId": chain_id, "nonce": nonce, "to": to, "value": 0, "data": data,
                                       "gas": gas * 12 // 10, "gasPrice": price * 12 // 10})
    transaction = rpc("eth_sendRawTransaction", "0x" + signed.raw_transaction.hex())
    deadline = time.time() + 180
    while not (receipt := rpc("eth_getTransactionReceipt", transaction)) and time.time() < deadline:
        time.sleep(0.5)
    same({transaction: receipt and receipt["status"]}, {transaction: "0x1"})
    return receipt

abi, typed_data = (json.load(open(f"{sys.path[0]}/{name}")) for name in ["abi.json", "typed-data.json"])
swap_abi, swapped_abi = (next(entry for entry in abi if entry["name"] == name) for name in ["transmitAndSwap", "Swapped"])
pool, signer, input_token, output_token = (
    to_checksum_address(environ[name]) for name in ["POOL", "POOL_SIGNER", "INPUT_TOKEN", "OUTPUT_TOKEN"])
chain_id, input_amount, minimum = (int(environ[name]) for name in ["CHAIN_ID", "INPUT_AMOUNT", "MIN_OUTPUT_AMOUNT"])
service, api_key = environ["FIRMQUOTE_URL"], {"x-api-key": environ["FIRMQUOTE_API_KEY"]}
taker = (account := Account.from_key(environ["PRIVATE_KEY"])).address
time_in_seconds = 120  # from the last moment to sign until the swap is on chain: room for the approval
same({"chain of the node": number("eth_chainId")}, {"chain of the node": chain_id})

step = "quote"  # what was asked for, enough output, still open, valid for as long as asked
quote = ask(f"{service}/rfq/v2/quote/{chain_id}?" + urllib.parse.urlencode({
    "input_asset_symbol": environ["INPUT_SYMBOL"], "output_asset_symbol": environ["OUTPUT_SYMBOL"], "pool_address": pool,
    "input_amount": input_amount, "time_in_seconds": time_in_seconds}), **api_key)
asked = dict(chain_id=chain_id, input_asset_address=input_token, output_asset_address=output_token, input_amount=input_amount)
must_accept_by = datetime.datetime.fromisoformat(quote["must_accept_by"]).timestamp()
expiry = int(must_accept_by) + time_in_seconds
same(quote, {**asked, "good_until": expiry})
output_amount = int(quote["output_amount"])
if output_amount < minimum:
    raise ValueError(f"output_amount is {output_amount}, less than {minimum}")
if must_accept_by <= time.time():
    raise ValueError(f"must_accept_by is {quote['must_accept_by']}, which is over")

step = "signature"  # for these terms, by the pinned signer, for the pinned pool
aux_data = uuid.UUID(quote["id"]).bytes.ljust(32, b"\0")
terms = {"destination_address": taker, "aux_data": "0x" + aux_data.hex(), "transmit": True, "calldata": True}
signed = ask(f"{service}/rfq/v2/sign", {"quote_id": quote["id"], **terms}, **api_key)
same(signed, {**asked, "output_amount": output_amount, "destination_address": taker, "service_exchange_address": pool})
good_until = int(signed["good_until"])
packed = good_until > 32503708800  # else it is the plain Unix second
same({"expiry": good_until & 0xFFFFFFFF if packed else good_until}, {"expiry": expiry})
if packed:  # from high to low: prices in 8 decimals, k in 18, weights; the pool holds the swap against them
    prices, k = [good_until >> shift & 0xFFFFFFFFFFFFFFFF for shift in (192, 128)], good_until >> 64 & 0xFFFFFFFFFFFFFFFF
    print(f"signed over {prices=} {k=} weights={[good_until >> shift & 0xFFFF for shift in (48, 32)]}")
swap = [input_token, output_token, input_amount, output_amount, good_until, taker]
message = {member["name"]: value for member, value in zip(typed_data["types"]["OfferStruct"], swap)}
domain = dict(zip(typed_data["domain"], [environ["DOMAIN_NAME"], environ["DOMAIN_VERSION"], chain_id, pool]))
v, r, s = (signed["signature"][name] for name in "vrs")
offer = encode_typed_data(full_message={**typed_data, "domain": domain, "message": message})
same({"signer": Account.recover_message(offer, vrs=(v, r, s))}, {"signer": signer})

step = "calldata"  # the call that pulls the input, with these arguments
calldata = bytes.fromhex(signed["calldata"][2:])
same({"selector": calldata[:4]}, {"selector": function_abi_to_4byte_selector(swap_abi)})
*given, signature, auxiliary_data = decode(get_abi_input_types(swap_abi), calldata[4:])
names = [*message, "v", "r", "s", "auxiliary_data"]
same(dict(zip(names, [*given, *signature, auxiliary_data])), dict(zip(names, [*swap, v, r, s, aux_data])))

step = "approval"  # of what the swap takes, and no more
allowance = {"to": input_token, "data": call("allowance(address,address)", taker, pool)}
if number("eth_call", allowance, "latest") < input_amount:
    send(input_token, call("approve(address,uint256)", pool, input_amount))
step = "transaction"
receipt = send(pool, signed["calldata"])

step = "outcome"  # the pool's event, and the balance across the block
topic = "0x" + event_abi_to_log_topic(swapped_abi).hex()
events = [log for log in receipt["logs"] if log["address"].lower() == pool.lower() and log["topics"][0] == topic]
same({"Swapped events of the pool": len(events)}, {"Swapped events of the pool": 1})
*indexed, data = (bytes.fromhex(word[2:]) for word in [*events[0]["topics"][1:], events[0]["data"]])
paid = [*("0x" + word[12:].hex() for word in indexed), *decode(get_abi_input_types(swapped_abi)[3:], data)]
names, due = get_abi_input_names(swapped_abi), [input_token, output_token, taker, input_amount, output_amount, aux_data]
same(dict(zip(names, paid)), dict(zip(names, due)))
balance = {"to": output_token, "data": call("balanceOf(address)", taker)}
before, after = (number("eth_call", balance, hex(int(receipt["blockNumber"], 16) - ago)) for ago in (1, 0))
same({"received": after - before}, {"received": output_amount})
print(f"swapped {input_amount} for {output_amount} in {receipt['transactionHash']}")
