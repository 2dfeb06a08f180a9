import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.Version2Api;
import org.openapitools.client.model.ErrorObject;
import org.openapitools.client.model.Quote;
import org.openapitools.client.model.SignV2Request;
import org.openapitools.client.model.SignedSwap;

/** Takes a swap with the client that openapi-generator makes for Java, and prints its transaction. */
public final class Taker {
  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("FIRMQUOTE_URL"));
    // The client of the JDK leaves the key to its caller.
    client.setRequestInterceptor(request -> request.header("x-api-key", System.getenv("FIRMQUOTE_API_KEY")));
    Version2Api api = new Version2Api(client);
    Quote quote = quote(api, "1000000000000000000");
    SignV2Request terms = new SignV2Request().quoteId(quote.getId()).destinationAddress(System.getenv("DESTINATION"));
    SignedSwap signed = api.signV2(terms.nativeInput(true).calldata(true));
    if (!signed.getOutputAmount().equals(quote.getOutputAmount())) throw new AssertionError("not signed as quoted");
    try {
      quote(api, "1");
      throw new AssertionError("a quote of one base unit is refused");
    } catch (ApiException refused) {
      ErrorObject error = client.getObjectMapper().readValue(refused.getResponseBody(), ErrorObject.class);
      if (!error.getReason().toString().equals("too_small")) throw new AssertionError(error);
    }
    System.out.println(new ObjectMapper().writeValueAsString(Map.of(
        "to", signed.getServiceExchangeAddress(), "data", signed.getCalldata(), "value", signed.getInputAmount())));
    System.exit(0);
  }

  private static Quote quote(Version2Api api, String inputAmount) throws ApiException {
    return api.quoteV2(Version2Api.APIQuoteV2Request.newBuilder().chainId(31337L).inputAssetSymbol("ETH")
        .outputAssetSymbol("USDC").inputAmount(inputAmount).build());
  }
}
