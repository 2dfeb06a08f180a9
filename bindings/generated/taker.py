"""Takes a swap with the client that openapi-generator makes for Python, and prints its transaction."""

import json
import os
import sys

sys.path.insert(0, "output/python")

import openapi_client as client

configuration = client.Configuration(
    host=os.environ["FIRMQUOTE_URL"], api_key={"apiKey": os.environ["FIRMQUOTE_API_KEY"]}
)
api = client.Version2Api(client.ApiClient(configuration))
destination = os.environ["DESTINATION"]
quote = api.quote_v2(31337, input_asset_symbol="ETH", output_asset_symbol="USDC", input_amount="1000000000000000000")
signed = api.sign_v2(client.SignV2Request(quote_id=quote.id, destination_address=destination, native_input=True, calldata=True))
assert signed.output_amount == quote.output_amount
assert api.quote_status_v2(quote.id).state == "signed"
assert api.levels_v2(31337).books[0].as_of_ms > 2**31
assert api.pools_v2(31337, fieldset="all").actual_instance.pools[0].pairs
try:
    api.quote_v2(31337, input_asset_symbol="ETH", output_asset_symbol="USDC", input_amount="1")
    sys.exit("a quote of one base unit is refused")
except client.ApiException as refused:
    assert (refused.data.reason, int(refused.data.min_amount) > 1) == ("too_small", True), refused.data
try:
    api.quote_v2(31337, output_asset_symbol="USDC", input_amount="1")
    sys.exit("a quote without an input is refused")
except client.ApiException as refused:
    assert refused.data.data[0].type == "missing", refused.data
print(json.dumps({"to": signed.service_exchange_address, "data": signed.calldata, "value": signed.input_amount}))
