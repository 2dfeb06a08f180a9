// Takes a swap with the client that openapi-generator makes for Go, and prints its transaction.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"

	firmquote "firmquote/generated"
)

func main() {
	key := map[string]firmquote.APIKey{"apiKey": {Key: os.Getenv("FIRMQUOTE_API_KEY")}}
	ctx := context.WithValue(context.Background(), firmquote.ContextAPIKeys, key)
	configuration := firmquote.NewConfiguration()
	configuration.Servers = firmquote.ServerConfigurations{{URL: os.Getenv("FIRMQUOTE_URL")}}
	api := firmquote.NewAPIClient(configuration).Version2API
	request := api.QuoteV2(ctx, 31337).InputAssetSymbol("ETH").OutputAssetSymbol("USDC")
	quote, _, err := request.InputAmount("1000000000000000000").Execute()
	if err != nil {
		log.Fatal(err)
	}
	terms := firmquote.SignV2Request{QuoteId: quote.Id, DestinationAddress: os.Getenv("DESTINATION")}
	terms.SetNativeInput(true)
	terms.SetCalldata(true)
	signed, _, err := api.SignV2(ctx).SignV2Request(terms).Execute()
	if err != nil || signed.OutputAmount != quote.OutputAmount {
		log.Fatal("not signed as quoted: ", err)
	}
	_, _, err = request.InputAmount("1").Execute()
	refused, isRefused := err.(*firmquote.GenericOpenAPIError)
	if !isRefused {
		log.Fatal("a quote of one base unit is refused: ", err)
	}
	if reason := refused.Model().(firmquote.ErrorObject).Reason; string(reason) != "too_small" {
		log.Fatal("refused as ", reason)
	}
	_ = json.NewEncoder(os.Stdout).Encode(map[string]string{
		"to": signed.ServiceExchangeAddress, "data": signed.GetCalldata(), "value": signed.InputAmount,
	})
}
