"""Hooks that narrow the API description to the assets and amounts that the pools of the test can serve."""

import schemathesis

# The chain and the pools in the configuration of the test.
CHAIN = 1
POOLS = ["0x655eDCE464CC797526600a462A8154650EEe4B77"]

# 0.001 to 10 ETH.
SCHEMAS = {
    "chain_id": {"enum": [CHAIN]},
    "input_asset_symbol": {"enum": ["ETH"]},
    "output_asset_symbol": {"enum": ["USDC"]},
    "input_amount": {"type": "string", "pattern": "^[1-9][0-9]{15,18}$"},
    "pairs": {"enum": ["ETH-USDC", "USDC-ETH,ETH-USDC"]},
    "time_in_seconds": {"type": "integer", "minimum": 1, "maximum": 600},
    "times": {"enum": ["60", "1,60,600"]},
    "knots": {"type": "integer", "minimum": 2, "maximum": 64},
    "pool_address": {"enum": POOLS},
    # Lowercase only, since mixed case requires a checksum.
    "destination_address": {"type": "string", "pattern": "^0x[1-9a-f]{40}$"},
    "sender_address": {"type": "string", "pattern": "^0x[1-9a-f]{40}$"},
}

# Of the alternatives one is given; the output is not native coin; the contract of the test supports no guarantee; states are
# forgotten and levels expire; another request with the same key is refused.
EXCLUDED = {
    "output_amount",
    "input_asset_address",
    "output_asset_address",
    "native_output",
    "guarantee",
    "state_id",
    "levels_id",
    "strict",
    "Idempotency-Key",
}
REQUIRED = {"input_asset_symbol", "output_asset_symbol", "input_amount"}


@schemathesis.hook
def filter_case(context, case):
    """Skips floats: JSON Schema accepts 1.0 as an integer, but the service only digits, as the description says."""
    members = case.body.values() if isinstance(case.body, dict) else []
    return not any(isinstance(member, float) for member in members)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    # A stream never ends.
    raw_schema["paths"].pop("/rfq/v2/levels/{chain_id}/stream", None)
    for item in raw_schema["paths"].values():
        for operation in item.values():
            narrow_parameters(operation)
            complete_links(operation)
            for content in operation.get("requestBody", {}).get("content", {}).values():
                narrow_members(content["schema"])


def narrow_parameters(operation):
    parameters = [item for item in operation.get("parameters", []) if item["name"] not in EXCLUDED]
    for parameter in parameters:
        if parameter["name"] in SCHEMAS:
            parameter["schema"] = SCHEMAS[parameter["name"]]
        if parameter["name"] in REQUIRED:
            parameter["required"] = True
    operation["parameters"] = parameters


def complete_links(operation):
    """Gives the link from a quote to its signature the body that the description has in words."""
    for response in operation["responses"].values():
        if sign := response.get("links", {}).get("sign"):
            destination = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"
            sign["requestBody"] = {"quote_id": "$response.body#/id", "destination_address": destination}


def narrow_members(schema):
    members = schema["properties"]
    for name in EXCLUDED & members.keys():
        # Also not as a member that the description does not name.
        members[name] = {"type": "null"}
    for name in SCHEMAS.keys() & members.keys():
        members[name] = SCHEMAS[name]
    schema["required"] = sorted({*schema.get("required", []), *(REQUIRED & members.keys())})
