"""For requests that the pools of the test can serve: the document with what they list, and amounts that they have."""

import schemathesis

# What the configuration of the test lists.
CHAIN = 1
POOLS = ["0x655eDCE464CC797526600a462A8154650EEe4B77"]

# A thousandth of an ETH to ten, and a dollar's worth of USDC to ten thousand.
NARROWED = {
    "chain_id": {"enum": [CHAIN]},
    "input_asset_symbol": {"enum": ["ETH"]},
    "output_asset_symbol": {"enum": ["USDC"]},
    "input_amount": {"type": "integer", "minimum": 10**15, "maximum": 10**19},
    "output_amount": {"type": "integer", "minimum": 10**6, "maximum": 10**10},
    "pairs": {"enum": ["ETH-USDC", "USDC-ETH,ETH-USDC"]},
    "time_in_seconds": {"type": "integer", "minimum": 1, "maximum": 600},
    "pool_address": {"enum": POOLS},
    # All in one case, so that no checksum is asked for.
    "destination_address": {"type": "string", "pattern": "^0x[1-9a-f]{40}$"},
    "sender_address": {"type": "string", "pattern": "^0x[1-9a-f]{40}$"},
}

# In a query nothing says that the amounts exclude each other; the output is not the native coin; and the contract of the
# test guarantees nothing. A state is forgotten, and levels expire.
LEFT_OUT = {"output_amount", "native_output", "guarantee", "state_id", "levels_id"}


@schemathesis.hook
def filter_case(context, case):
    """JSON Schema takes 1.0 for an integer; the service takes digits alone, as the document says in words."""
    members = case.body.values() if isinstance(case.body, dict) else []
    return not any(isinstance(member, float) for member in members)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    # A stream has no end, and the tool shakes no hands.
    for name in ("stream", "ws"):
        raw_schema["paths"].pop(f"/rfq/v2/levels/{{chain_id}}/{name}", None)
    for item in raw_schema["paths"].values():
        for operation in item.values():
            narrow_parameters(operation)
            for content in operation.get("requestBody", {}).get("content", {}).values():
                narrow_members(content["schema"])


def narrow_parameters(operation):
    kept = [one for one in operation.get("parameters", []) if one["name"] not in LEFT_OUT]
    for parameter in kept:
        if parameter["name"] in NARROWED:
            parameter["schema"] = NARROWED[parameter["name"]]
        if parameter["name"] == "input_amount":
            parameter["required"] = True
    operation["parameters"] = kept


def narrow_members(schema):
    for name, member in schema.get("properties", {}).items():
        if name in NARROWED and member != {"type": "null"}:
            schema["properties"][name] = NARROWED[name]
    for part in ("allOf", "oneOf", "anyOf"):
        for inner in schema.get(part, []):
            narrow_members(inner)
    # The whole lists each amount; which of the two there is, the alternatives behind it say.
    for alternative in schema.get("oneOf", []):
        for name in alternative.get("required", []):
            alternative["properties"][name] = NARROWED[name]
