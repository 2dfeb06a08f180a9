"""Hooks that narrow the API description to the assets and amounts that the pools of the test can serve."""

import schemathesis

# The chain and the pools in the configuration of the test.
CHAIN = 1
POOLS = ["0x655eDCE464CC797526600a462A8154650EEe4B77"]

# 0.001 to 10 ETH, and 1 to 10,000 USDC.
SCHEMAS = {
    "chain_id": {"enum": [CHAIN]},
    "input_asset_symbol": {"enum": ["ETH"]},
    "output_asset_symbol": {"enum": ["USDC"]},
    "input_amount": {"type": "integer", "minimum": 10**15, "maximum": 10**19},
    "output_amount": {"type": "integer", "minimum": 10**6, "maximum": 10**10},
    "pairs": {"enum": ["ETH-USDC", "USDC-ETH,ETH-USDC"]},
    "time_in_seconds": {"type": "integer", "minimum": 1, "maximum": 600},
    "times": {"enum": ["60", "1,60,600"]},
    "knots": {"type": "integer", "minimum": 2, "maximum": 64},
    "pool_address": {"enum": POOLS},
    # Lowercase only, since mixed case requires a checksum.
    "destination_address": {"type": "string", "pattern": "^0x[1-9a-f]{40}$"},
    "sender_address": {"type": "string", "pattern": "^0x[1-9a-f]{40}$"},
}

# A query cannot express that the amounts are mutually exclusive; the output is not native coin; the contract of the
# test supports no guarantee; states are forgotten and levels expire.
EXCLUDED = {"output_amount", "native_output", "guarantee", "state_id", "levels_id"}


@schemathesis.hook
def filter_case(context, case):
    """Skips floats: JSON Schema accepts 1.0 as an integer, but the service only digits, as the description says."""
    members = case.body.values() if isinstance(case.body, dict) else []
    return not any(isinstance(member, float) for member in members)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    # Streams never end, and schemathesis does not perform WebSocket handshakes.
    for name in ("stream", "ws"):
        raw_schema["paths"].pop(f"/rfq/v2/levels/{{chain_id}}/{name}", None)
    for item in raw_schema["paths"].values():
        for operation in item.values():
            narrow_parameters(operation)
            for content in operation.get("requestBody", {}).get("content", {}).values():
                narrow_members(content["schema"])


def narrow_parameters(operation):
    parameters = [item for item in operation.get("parameters", []) if item["name"] not in EXCLUDED]
    for parameter in parameters:
        if parameter["name"] in SCHEMAS:
            parameter["schema"] = SCHEMAS[parameter["name"]]
        if parameter["name"] == "input_amount":
            parameter["required"] = True
    operation["parameters"] = parameters


def narrow_members(schema):
    for name, member in schema.get("properties", {}).items():
        if name in SCHEMAS and member != {"type": "null"}:
            schema["properties"][name] = SCHEMAS[name]
    for part in ("allOf", "oneOf", "anyOf"):
        for inner in schema.get(part, []):
            narrow_members(inner)
    # The object lists both amounts; the alternatives say which of them is present.
    for alternative in schema.get("oneOf", []):
        for name in alternative.get("required", []):
            alternative["properties"][name] = SCHEMAS[name]
