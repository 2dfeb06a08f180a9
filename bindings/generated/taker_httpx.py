"""Takes a swap with the client that openapi-python-client makes, and prints its transaction."""

import json
import os
import sys

sys.path.insert(0, "output")

from openapi_python_client_output import AuthenticatedClient, models
from openapi_python_client_output.api.version_2 import quote_sign_v2, quote_status_v2, quote_v2

client = AuthenticatedClient(
    os.environ["FIRMQUOTE_URL"], token=os.environ["FIRMQUOTE_API_KEY"], prefix="", auth_header_name="x-api-key"
)
pair = {"client": client, "input_asset_symbol": "ETH", "output_asset_symbol": "USDC"}
swap = quote_sign_v2.sync(
    31337,
    **pair,
    input_amount="1000000000000000000",
    destination_address=os.environ["DESTINATION"],
    native_input=True,
    calldata=True,
)
assert isinstance(swap, models.QuotedSwap), swap
assert quote_status_v2.sync(swap.id, client=client).state == "signed"
refused = quote_v2.sync(31337, **pair, input_amount="1")
assert (refused.reason, int(refused.min_amount) > 1) == ("too_small", True), refused
print(json.dumps({"to": swap.service_exchange_address, "data": swap.calldata, "value": swap.input_amount}))
