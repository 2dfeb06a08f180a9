// Generated from ../openapi.json by `npm run generate`. Do not edit.

export interface paths {
    "/rfq/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a quote
         * @description Exactly one of `input_amount` and `output_amount` is required. Only the client that requested the quote can have it signed, and only before its `must_accept_by`.
         */
        post: operations["quote_v1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rfq/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a quote
         * @description A quote is signed for one set of terms only: a repeated request with the same terms returns the same response until `good_until`, a request with other terms is rejected. If the quote conflicts with the latest prices, the error contains a fresh quote where possible.
         */
        post: operations["sign_v1"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rfq/v2/quote/{chain_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Request a quote
         * @description Exactly one of `input_amount` and `output_amount` is required. Only the client that requested the quote can have it signed, and only before its `must_accept_by`.
         */
        get: operations["quote_v2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rfq/v2/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign a quote
         * @description A quote is signed for one set of terms only: a repeated request with the same terms returns the same response until `good_until`, a request with other terms is rejected. If the quote conflicts with the latest prices, the error contains a fresh quote where possible.
         */
        post: operations["sign_v2"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rfq/v2/quote-sign/{chain_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Request a quote and sign it
         * @description Quote and sign in one round trip. Exactly one of `input_amount` and `output_amount` is required. A request that is repeated with the same `Idempotency-Key` gets the first answer, until its `good_until`.
         */
        get: operations["quote_sign_v2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rfq/pool": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The default pool of a chain
         * @deprecated
         * @description Without `fieldset`: balances, prices, values and target values. With `fieldset=offchain-data`: the parameters of the pricing formula, and the fee of each pair for `time_in_seconds`. With `fieldset=all`: both, from the same instant.
         */
        get: operations["pool_v1"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rfq/v2/chains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Chains, pools, assets and pairs
         * @description Every chain with its pools, their assets and pairs, and the smallest and largest trade for the calling client.
         */
        get: operations["chains_v2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rfq/v2/pool/{chain_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All pools of a chain, or one of them
         * @description Without `fieldset`: balances, prices, values and target values. With `fieldset=offchain-data`: the parameters of the pricing formula, and the fee of each pair for `time_in_seconds`. With `fieldset=all`: both, from the same instant.
         */
        get: operations["pools_v2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rfq/v2/quote-status/{quote_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Status of a quote
         * @description Only for the client that requested the quote. A settled or lapsed swap may become `signed` again when the chain is reorganized: count `confirmations`. An unsigned quote is retained until its `must_accept_by`, a signed one usually until a day after `good_until`; the operator configures this.
         */
        get: operations["quote_status_v2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rfq/v2/swaps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Signed swaps of the client
         * @description The swaps that were signed for the calling client, in the order of their signatures, for as long as their status can be read. Pages follow one another by `next_cursor` until it is null; the last one also continues later. Where replicas' clocks differ, a swap may be added before the cursor: read the last seconds again.
         */
        get: operations["swaps_v2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rfq/v2/curve/{chain_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Indicative quotes for many sizes
         * @description Outputs for each input amount and validity, computed in one state of one pool. Each equals a quote in that state; no quote is stored. Without `pool_address`, the pool that serves most of the sizes is used.
         */
        get: operations["curve_v2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rfq/v2/levels/{chain_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Price levels
         * @description Points of the pool's curve for each pair and direction. The straight lines between them never exceed the curve: from the first knot to the last, a quote for an input is at least the line, rounded down. A book holds until its `valid_until_ms`, unless a stream withdraws or replaces it. Covers all pools of the chain unless `pool_address` is given.
         */
        get: operations["levels_v2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rfq/v2/levels/{chain_id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Price levels as Server-Sent Events
         * @description The books of `levels_v2`, followed by every change: an event for each message, with the type of the message as its `event`. `/asyncapi.json` describes the messages.
         */
        get: operations["level_stream_v2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rfq/v2/events/{chain_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Events of the client's quotes, as they happen
         * @description Server-Sent Events about the quotes that were signed for the calling client, on one chain: `signed`, `settled`, `lapsed`, and `reorged` when a reorganization undid an outcome. At least once, and for each quote in order. Continues after the `Last-Event-ID`, or `last_event_id`, for ten minutes and as long as few entries were added meanwhile; otherwise `reset` says that events may be missing: read the status of open quotes. A `heartbeat` follows what was missed, and every five seconds of silence.
         */
        get: operations["events_v2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description The document of this listener.
         */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * This document
         * @description The document of this listener.
         */
        head: operations["head_openapi"];
        patch?: never;
        trace?: never;
    };
    "/asyncapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The messages of the streams of levels
         * @description An AsyncAPI 3 document.
         */
        get: operations["asyncapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * The messages of the streams of levels
         * @description An AsyncAPI 3 document.
         */
        head: operations["head_asyncapi"];
        patch?: never;
        trace?: never;
    };
    "/abi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ABI of the pool contract
         * @description The functions that `calldata` calls and the swap event, in the JSON format of the Solidity compiler.
         */
        get: operations["contract_abi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * The ABI of the pool contract
         * @description The functions that `calldata` calls and the swap event, in the JSON format of the Solidity compiler.
         */
        head: operations["head_contract_abi"];
        patch?: never;
        trace?: never;
    };
    "/typed-data.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The EIP-712 types of a signed swap
         * @description EIP-712 types and primary type, for signing libraries. The domain is `eip712_domain` of the pool data.
         */
        get: operations["typed_data"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * The EIP-712 types of a signed swap
         * @description EIP-712 types and primary type, for signing libraries. The domain is `eip712_domain` of the pool data.
         */
        head: operations["head_typed_data"];
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Interactive documentation
         * @description A web page that shows this document and can send requests to the service.
         */
        get: operations["docs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * Interactive documentation
         * @description A web page that shows this document and can send requests to the service.
         */
        head: operations["head_docs"];
        patch?: never;
        trace?: never;
    };
    "/docs/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file of the documentation page
         * @description A script or style sheet of the page, or its license; compressed with gzip if the client accepts that.
         */
        get: operations["docs_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * A file of the documentation page
         * @description A script or style sheet of the page, or its license; compressed with gzip if the client accepts that.
         */
        head: operations["head_docs_file"];
        patch?: never;
        trace?: never;
    };
    "/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All types of invalid input
         * @description A web page that lists every `type` that an item of `data` can have.
         */
        get: operations["error_index"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * All types of invalid input
         * @description A web page that lists every `type` that an item of `data` can have.
         */
        head: operations["head_error_index"];
        patch?: never;
        trace?: never;
    };
    "/errors/{type}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One type of invalid input
         * @description The web page that the `url` of an item of `data` links to.
         */
        get: operations["error_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /**
         * One type of invalid input
         * @description The web page that the `url` of an item of `data` links to.
         */
        head: operations["head_error_page"];
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description 20 bytes of hex with the EIP-55 checksum. */
        Address: string;
        /** @description A pool with both sets of data, from the same instant: everything that determines its quotes. */
        AllDataResponse: {
            /** @description The pool as a whole. */
            pool: components["schemas"]["Pool"];
            /** @description The assets. */
            assets: components["schemas"]["PoolAsset"][];
            /** @description The pairs that trade at present. */
            pairs: components["schemas"]["PairFee"][];
            /**
             * @description The set of data; only in version 1, whose responses are a single pool.
             * @enum {string}
             */
            pool_type: "all";
        };
        /** @description Pools of a chain. */
        AllPools: {
            /**
             * @description The set of data in a response.
             * @enum {string}
             */
            pool_type: "all";
            pools: components["schemas"]["PoolData"][];
        };
        /** @description An amount in base units of its token, in decimal digits. */
        Amount: string;
        /** @description Price in whole output tokens for each whole input token, and size in whole input tokens. */
        Band: string[];
        /** @description A number of base units, also zero, in decimal digits. */
        BaseUnits: string;
        /**
         * Format: double
         * @description Basis points: hundredths of a percent, with at most two decimals.
         */
        BasisPoints: number;
        /** @description 32 bytes of hex. */
        Bytes32: string;
        /** @description An encoded call of the pool contract, in hex. */
        Calldata: string;
        /** @description A chain with its pools. */
        Chain: {
            /** @description The chain id (EIP-155). */
            chain_id: components["schemas"]["ChainId"];
            /** @description The symbol of the native coin. */
            native_symbol: components["schemas"]["Symbol"];
            wrapped_native_symbol: components["schemas"]["Symbol"] | null;
            /** @description The contract that wraps the native coin. */
            wrapped_native_address: components["schemas"]["Address"];
            /** @description The pools; the first is the default. */
            pools: components["schemas"]["TradedPool"][];
        };
        /**
         * Format: int64
         * @description A chain id (EIP-155).
         */
        ChainId: number;
        /** @description Every supported chain. */
        Chains: {
            /** @description The chains. */
            chains: components["schemas"]["Chain"][];
        };
        /**
         * Format: int64
         * @description Decimals of a token.
         */
        Decimals: number;
        /**
         * Format: double
         * @description A number for display: the nearest double.
         */
        DisplayNumber: number;
        /** @description An error. A member that is malformed is read as absent, which does not invalidate the others. */
        ErrorObject: {
            /** @description A human-readable description of the error. */
            errorMessage: string;
            /** @description The type of the error. */
            errorType: components["schemas"]["ErrorType"];
            /**
             * Format: int64
             * @description The service-specific error code.
             */
            errorCode?: number;
            /** @description Every invalid input of the request. */
            data?: components["schemas"]["InvalidInput"][];
            /** @description Why the request is refused, a stable name; absent from earlier releases. */
            reason: components["schemas"]["Reason"];
            /** @description The input that the reason is about. */
            field?: string;
            /** @description The largest amount for `field` that is served, in base units. */
            max_amount?: components["schemas"]["Amount"];
            /** @description The smallest amount for `field` that is served, in base units. */
            min_amount?: components["schemas"]["Amount"];
            /** @description The value of the largest trade that is signed. */
            largest_trade_in_usd?: components["schemas"]["Usd"];
            /** @description The output that would be signed now, in base units; absent if nothing would be. */
            output_left?: components["schemas"]["Amount"];
            /**
             * Format: int64
             * @description When to send the same request again, in milliseconds after this response; `Retry-After` has whole seconds.
             */
            retry_after_ms?: number;
            /**
             * @description How much less the pool would give now, in basis points of the quoted output, rounded up; absent if the pool would
             *     give nothing, if it would give enough but its contract would not execute the swap, and with `disabled`.
             */
            moved_bps?: components["schemas"]["BasisPoints"];
            /** @description A quote for the same amount at current prices, to be signed like any other; absent if none can be made. */
            fresh_quote?: components["schemas"]["Quote"];
        };
        /**
         * @description The type of the error.
         * @enum {string}
         */
        ErrorType: "BadData" | "QuoteProblem" | "Unauthorized" | "Forbidden" | "NotFound" | "MethodNotAllowed" | "RateLimited" | "ExternalServiceError" | "InternalError";
        /**
         * @description Whether the swap executes until it expires, regardless of others (`guaranteed`), or may revert when others in its direction are executed first (`best_effort`).
         * @enum {string}
         */
        Execution: "guaranteed" | "best_effort";
        /** @description A number of up to 256 bits in decimal digits, as passed to the contract: the Unix second of expiry or, for a verified pool, that second packed with the values that the contract checks. */
        GoodUntil: string;
        /** @description An invalid input. */
        InvalidInput: {
            /** @description The type of the validation error. */
            type: components["schemas"]["InvalidInputType"];
            /** @description The path to the input; empty for the body as a whole. */
            loc: components["schemas"]["Step"][];
            /** @description The requirement that the input does not meet. */
            msg: string;
            /** @description The received value. */
            input: unknown;
            /** @description A page that explains the type. */
            url: string;
        };
        /**
         * @description The type of the validation error.
         * @enum {string}
         */
        InvalidInputType: "missing" | "int_parsing" | "decimal_parsing" | "string_type" | "bool_type" | "list_type" | "object_type" | "uuid_parsing" | "address_parsing" | "hex_bytes" | "out_of_range" | "mutually_exclusive" | "one_required" | "unknown_input" | "json_invalid";
        /** @description Cumulative input and output, in base units. */
        Knot: components["schemas"]["Amount"][];
        /**
         * @description Levels of one pair in one direction: for an input between two knots, a quote in the state pays at least the output
         *     of the straight line between them, rounded down.
         */
        LevelBook: {
            /**
             * Format: int64
             * @description Sequence number, increasing for each pair and direction, possibly with gaps.
             */
            seq: number;
            /** @description Identifies these levels. */
            levels_id: components["schemas"]["LevelsId"];
            /** @description The state that the levels were computed in. */
            state_id: components["schemas"]["StateId"];
            /** @description The pool contract. */
            pool_address: components["schemas"]["Address"];
            /** @description The asset paid to the pool. */
            input_asset_symbol: components["schemas"]["Symbol"];
            /** @description Its token. */
            input_asset_address: components["schemas"]["Address"];
            /** @description Its decimals. */
            input_asset_decimals: components["schemas"]["Decimals"];
            /** @description The asset paid by the pool. */
            output_asset_symbol: components["schemas"]["Symbol"];
            /** @description Its token. */
            output_asset_address: components["schemas"]["Address"];
            /** @description Its decimals. */
            output_asset_decimals: components["schemas"]["Decimals"];
            /**
             * Format: int64
             * @description The Unix time of the oldest price or reserve in the levels, in milliseconds.
             */
            as_of_ms: number;
            /**
             * Format: int64
             * @description The Unix time of publication, in milliseconds.
             */
            published_ms: number;
            /**
             * Format: int64
             * @description The Unix time in milliseconds from which the levels no longer hold, by the clock of the service.
             */
            valid_until_ms: number;
            /**
             * Format: int64
             * @description The maximum time from acceptance to execution that the fee in the levels covers, in seconds.
             */
            time_in_seconds: number;
            /** @description The fee included in the levels. */
            fee_in_basis_points: components["schemas"]["BasisPoints"];
            /** @description Whether the levels are firm for quotes that name them; otherwise they are indicative. */
            firm: boolean;
            /**
             * @description Whether quotes pay the stated output at every size. If not, the contract of a `verified` pool may refuse the
             *     output of the formula, and a quote may be lower or refused.
             */
            certain: boolean;
            firm_budget_input: components["schemas"]["Amount"] | null;
            minimum_input: components["schemas"]["Amount"] | null;
            maximum_input: components["schemas"]["Amount"] | null;
            /** @description The maximum shortfall of the line between two knots against a quote, excluding rounding. */
            max_shortfall_bps: components["schemas"]["BasisPoints"];
            /**
             * @description What the levels are: `cumulative_input_output_floor`: `knots`, with straight lines between them, rounded down;
             *     `incremental_price_size`: `bands`.
             */
            semantics: components["schemas"]["LevelSemantics"];
            /** @description Cumulative input and output in base units, from small to large. */
            knots?: components["schemas"]["Knot"][];
            /**
             * @description Price in whole output tokens for each whole input token, and size in whole input tokens, best first. The first
             *     band reaches from nothing to the smallest input.
             */
            bands?: components["schemas"]["Band"][];
        };
        /**
         * @description What the levels are: `cumulative_input_output_floor`: `knots`, with straight lines between them, rounded down;
         *     `incremental_price_size`: `bands`.
         * @enum {string}
         */
        LevelSemantics: "cumulative_input_output_floor" | "incremental_price_size";
        /** @description The id of price levels: 16 bytes of hex. */
        LevelsId: string;
        /** @description The current levels of a chain's pools. */
        LevelsSnapshot: {
            /** @description The chain id (EIP-155). */
            chain_id: components["schemas"]["ChainId"];
            /** @description The books that are live. */
            books: components["schemas"]["LevelBook"][];
            /** @description The books for which nothing is quoted at present. */
            withdrawn: components["schemas"]["WithdrawnLevels"][];
        };
        /** @description An asset and its weight. */
        OffchainAsset: {
            /** @description The symbol, as quote requests use it. */
            name: components["schemas"]["Symbol"];
            /** @description The token contract; the wrapped one for the native coin of the chain. */
            address: components["schemas"]["Address"];
            price_in_usd: components["schemas"]["Price"] | null;
            /** @description Decimals of the token. */
            decimals: components["schemas"]["Decimals"];
            /** @description Base units that outstanding swaps may still pay in; quotes with this input asset are priced as if they had. */
            outstanding_inflow: components["schemas"]["BaseUnits"];
            /** @description Base units that outstanding swaps may still pay out; quotes with this output asset are priced as if they had. */
            outstanding_outflow: components["schemas"]["BaseUnits"];
            /** @description The weight in the pricing formula. */
            listing_weight: components["schemas"]["Weight"];
        };
        /** @description The parameters that quotes of a pool are computed with. */
        OffchainData: {
            /** @description The pool as a whole. */
            pool: components["schemas"]["OffchainPool"];
            /** @description The assets. */
            assets: components["schemas"]["OffchainAsset"][];
            /** @description The pairs that trade at present. */
            pairs: components["schemas"]["PairFee"][];
        };
        /** @description A pool with its pricing parameters. */
        OffchainPool: {
            /** @description The chain id (EIP-155). */
            chain_id: components["schemas"]["ChainId"];
            /** @description The pool contract. */
            address: components["schemas"]["Address"];
            /** @description The account whose signatures the pool contract should accept; absent from earlier releases. */
            signer_address: components["schemas"]["Address"];
            /** @description The EIP-712 domain of the signatures; absent from earlier releases. */
            eip712_domain: components["schemas"]["SigningDomain"];
            /** @description The state that quotes are computed in: block, book and prices; absent from earlier releases. */
            state_id: components["schemas"]["StateId"];
            /**
             * Format: int64
             * @description The block of the reserves; null if they are configured. Absent from earlier releases.
             */
            block_number: number | null;
            block_timestamp: components["schemas"]["UnixSeconds"] | null;
            max_improvement_bps: components["schemas"]["BasisPoints"] | null;
            /**
             * Format: int64
             * @description The number of listed assets.
             */
            num_assets: number;
            /** @description Whether swaps are enabled. */
            swaps_enabled: boolean;
            largest_trade_in_usd: components["schemas"]["Usd"] | null;
            /** @description The pool constant of the pricing formula. */
            k: components["schemas"]["PoolConstant"];
            /**
             * Format: int64
             * @description Maximum seconds until the transaction, for the fees of `pairs`.
             */
            time_in_seconds: number;
            /**
             * Format: int64
             * @description The `time_in_seconds` of requests without one.
             */
            default_time_in_seconds: number;
        };
        /** @description Pools of a chain. */
        OffchainPools: {
            /**
             * @description The set of data in a response.
             * @enum {string}
             */
            pool_type: "offchain";
            pools: components["schemas"]["OffchainData"][];
        };
        /** @description The parameters that quotes of a pool are computed with. */
        OffchainResponse: {
            /** @description The pool as a whole. */
            pool: components["schemas"]["OffchainPool"];
            /** @description The assets. */
            assets: components["schemas"]["OffchainAsset"][];
            /** @description The pairs that trade at present. */
            pairs: components["schemas"]["PairFee"][];
            /**
             * @description The set of data; only in version 1, whose responses are a single pool.
             * @enum {string}
             */
            pool_type: "offchain";
        };
        /** @description An asset and the pool's reserve of it. */
        OnchainAsset: {
            /** @description The symbol, as quote requests use it. */
            name: components["schemas"]["Symbol"];
            /** @description The token contract; the wrapped one for the native coin of the chain. */
            address: components["schemas"]["Address"];
            price_in_usd: components["schemas"]["Price"] | null;
            /** @description Decimals of the token. */
            decimals: components["schemas"]["Decimals"];
            /** @description Base units that outstanding swaps may still pay in; quotes with this input asset are priced as if they had. */
            outstanding_inflow: components["schemas"]["BaseUnits"];
            /** @description Base units that outstanding swaps may still pay out; quotes with this output asset are priced as if they had. */
            outstanding_outflow: components["schemas"]["BaseUnits"];
            balance: components["schemas"]["Amount"] | null;
            value_in_usd: components["schemas"]["DisplayNumber"] | null;
            target_value_in_usd: components["schemas"]["DisplayNumber"] | null;
        };
        /** @description The holdings of a pool, valued at current prices. */
        OnchainData: {
            /** @description The pool as a whole. */
            pool: components["schemas"]["OnchainPool"];
            /** @description The assets. */
            assets: components["schemas"]["OnchainAsset"][];
        };
        /** @description A pool with its holdings. */
        OnchainPool: {
            /** @description The chain id (EIP-155). */
            chain_id: components["schemas"]["ChainId"];
            /** @description The pool contract. */
            address: components["schemas"]["Address"];
            /** @description The account whose signatures the pool contract should accept; absent from earlier releases. */
            signer_address: components["schemas"]["Address"];
            /** @description The EIP-712 domain of the signatures; absent from earlier releases. */
            eip712_domain: components["schemas"]["SigningDomain"];
            /** @description The state that quotes are computed in: block, book and prices; absent from earlier releases. */
            state_id: components["schemas"]["StateId"];
            /**
             * Format: int64
             * @description The block of the reserves; null if they are configured. Absent from earlier releases.
             */
            block_number: number | null;
            block_timestamp: components["schemas"]["UnixSeconds"] | null;
            max_improvement_bps: components["schemas"]["BasisPoints"] | null;
            /**
             * Format: int64
             * @description The number of listed assets.
             */
            num_assets: number;
            /** @description Whether swaps are enabled. */
            swaps_enabled: boolean;
            largest_trade_in_usd: components["schemas"]["Usd"] | null;
            /** @description Pool tokens in circulation, in base units, for display. */
            pool_tokens: components["schemas"]["DisplayNumber"];
            value_in_usd: components["schemas"]["DisplayNumber"] | null;
        };
        /** @description Pools of a chain. */
        OnchainPools: {
            /**
             * @description The set of data in a response.
             * @enum {string}
             */
            pool_type: "onchain";
            pools: components["schemas"]["OnchainData"][];
        };
        /** @description The holdings of a pool, valued at current prices. */
        OnchainResponse: {
            /** @description The pool as a whole. */
            pool: components["schemas"]["OnchainPool"];
            /** @description The assets. */
            assets: components["schemas"]["OnchainAsset"][];
            /**
             * @description The set of data; only in version 1, whose responses are a single pool.
             * @enum {string}
             */
            pool_type: "onchain";
        };
        /** @description Two assets that can be swapped for each other. */
        PairFee: {
            /** @description The two symbols. */
            assets: components["schemas"]["SymbolPair"];
            /** @description The fee in either direction, for `time_in_seconds`. */
            fee_in_basis_points: components["schemas"]["BasisPoints"];
        };
        /** @description A pool with its holdings and its pricing parameters. */
        Pool: {
            /** @description The chain id (EIP-155). */
            chain_id: components["schemas"]["ChainId"];
            /** @description The pool contract. */
            address: components["schemas"]["Address"];
            /** @description The account whose signatures the pool contract should accept; absent from earlier releases. */
            signer_address: components["schemas"]["Address"];
            /** @description The EIP-712 domain of the signatures; absent from earlier releases. */
            eip712_domain: components["schemas"]["SigningDomain"];
            /** @description The state that quotes are computed in: block, book and prices; absent from earlier releases. */
            state_id: components["schemas"]["StateId"];
            /**
             * Format: int64
             * @description The block of the reserves; null if they are configured. Absent from earlier releases.
             */
            block_number: number | null;
            block_timestamp: components["schemas"]["UnixSeconds"] | null;
            max_improvement_bps: components["schemas"]["BasisPoints"] | null;
            /**
             * Format: int64
             * @description The number of listed assets.
             */
            num_assets: number;
            /** @description Whether swaps are enabled. */
            swaps_enabled: boolean;
            largest_trade_in_usd: components["schemas"]["Usd"] | null;
            /** @description Pool tokens in circulation, in base units, for display. */
            pool_tokens: components["schemas"]["DisplayNumber"];
            value_in_usd: components["schemas"]["DisplayNumber"] | null;
            /** @description The pool constant of the pricing formula. */
            k: components["schemas"]["PoolConstant"];
            /**
             * Format: int64
             * @description Maximum seconds until the transaction, for the fees of `pairs`.
             */
            time_in_seconds: number;
            /**
             * Format: int64
             * @description The `time_in_seconds` of requests without one.
             */
            default_time_in_seconds: number;
        };
        /** @description An asset, the pool's reserve of it, and its weight. */
        PoolAsset: {
            /** @description The symbol, as quote requests use it. */
            name: components["schemas"]["Symbol"];
            /** @description The token contract; the wrapped one for the native coin of the chain. */
            address: components["schemas"]["Address"];
            price_in_usd: components["schemas"]["Price"] | null;
            /** @description Decimals of the token. */
            decimals: components["schemas"]["Decimals"];
            /** @description Base units that outstanding swaps may still pay in; quotes with this input asset are priced as if they had. */
            outstanding_inflow: components["schemas"]["BaseUnits"];
            /** @description Base units that outstanding swaps may still pay out; quotes with this output asset are priced as if they had. */
            outstanding_outflow: components["schemas"]["BaseUnits"];
            balance: components["schemas"]["Amount"] | null;
            value_in_usd: components["schemas"]["DisplayNumber"] | null;
            target_value_in_usd: components["schemas"]["DisplayNumber"] | null;
            /** @description The weight in the pricing formula. */
            listing_weight: components["schemas"]["Weight"];
        };
        /**
         * Format: double
         * @description The pool constant of the pricing formula, dimensionless.
         */
        PoolConstant: number;
        /** @description A pool with both sets of data, from the same instant: everything that determines its quotes. */
        PoolData: {
            /** @description The pool as a whole. */
            pool: components["schemas"]["Pool"];
            /** @description The assets. */
            assets: components["schemas"]["PoolAsset"][];
            /** @description The pairs that trade at present. */
            pairs: components["schemas"]["PairFee"][];
        };
        PoolResponse: components["schemas"]["OnchainResponse"] | components["schemas"]["OffchainResponse"] | components["schemas"]["AllDataResponse"];
        /** @description The data of pools, of the requested set: the response of version 2. */
        PoolsResponse: components["schemas"]["OnchainPools"] | components["schemas"]["OffchainPools"] | components["schemas"]["AllPools"];
        /**
         * Format: double
         * @description The price of a whole token in US dollars, with at most 8 decimals.
         */
        Price: number;
        /** @description A firm quote: the amounts of a swap that the pool executes if it is signed before `must_accept_by`. */
        Quote: {
            /** @description The id; pass it as `quote_id` to sign the quote. */
            id: components["schemas"]["QuoteId"];
            /** @description The first instant at which the quote can no longer be signed, by the clock of the service. */
            must_accept_by: components["schemas"]["UtcTime"];
            /** @description The last Unix second in which the signed swap is valid on chain. */
            good_until: components["schemas"]["UnixSeconds"];
            /** @description The chain id (EIP-155). */
            chain_id: components["schemas"]["ChainId"];
            /** @description The amount that the pool receives, in base units. */
            input_amount: components["schemas"]["Amount"];
            /** @description The amount that the pool pays, in base units. */
            output_amount: components["schemas"]["Amount"];
            /** @description The value of the input in US dollars, for display. */
            input_value_in_usd: components["schemas"]["DisplayNumber"];
            /** @description The value of the output in US dollars, for display. */
            output_value_in_usd: components["schemas"]["DisplayNumber"];
            /** @description The Unix second in which the quote was made. */
            created_at: components["schemas"]["UnixSeconds"];
            /** @description Whole tokens of output for one whole token of input, for display. */
            rate: components["schemas"]["DisplayNumber"];
            /** @description The token that the pool receives; the wrapped one for the native coin of the chain. */
            input_asset_address: components["schemas"]["Address"];
            /** @description The token that the pool pays; the wrapped one for the native coin of the chain. */
            output_asset_address: components["schemas"]["Address"];
            /** @description The pool contract that would execute the swap; absent from earlier releases. */
            pool_address: components["schemas"]["Address"];
            /** @description The state that the swap was computed in; absent from earlier releases. */
            state_id: components["schemas"]["StateId"];
            /** @description The fee included in the amounts; absent from earlier releases. */
            fee_in_basis_points: components["schemas"]["BasisPoints"];
            largest_trade_in_usd: components["schemas"]["Usd"] | null;
            /** @description The requested levels. */
            levels_id?: components["schemas"]["LevelsId"];
            /** @description The output of the requested levels for the input, at most the quoted one. */
            levels_output?: components["schemas"]["Amount"];
            /** @description The client's remaining budget for the requested levels, in base units of the input. */
            firm_budget_left_input?: components["schemas"]["BaseUnits"];
        };
        /** @description Indicative quotes in one state of one pool. */
        QuoteGrid: {
            /** @description The chain id (EIP-155). */
            chain_id: components["schemas"]["ChainId"];
            /** @description The pool contract that would execute the swaps. */
            pool_address: components["schemas"]["Address"];
            /** @description The state that the outputs were computed in. */
            state_id: components["schemas"]["StateId"];
            /** @description The input token. */
            input_asset_address: components["schemas"]["Address"];
            /** @description The output token. */
            output_asset_address: components["schemas"]["Address"];
            /** @description The input amounts in base units, in the order of the request. */
            input_amounts: components["schemas"]["Amount"][];
            /** @description The outputs for each validity, in the order of the request. */
            rows: components["schemas"]["QuoteGridRow"][];
        };
        /** @description Indicative quotes for one validity. */
        QuoteGridRow: {
            /**
             * Format: int64
             * @description The seconds between acceptance and the transaction on chain.
             */
            time_in_seconds: number;
            /** @description The fee included in the outputs. */
            fee_in_basis_points: components["schemas"]["BasisPoints"];
            /** @description The output of each input amount in base units; null where a quote is refused as too small or too large. */
            output_amounts: (components["schemas"]["Amount"] | null)[];
        };
        /** @description The id of a quote: a UUID of version 4, or of version 8 if the request had an `Idempotency-Key`. */
        QuoteId: string;
        /**
         * @description The state of a quote and of its swap: `created`: not signed yet; `signed`: may be executed; `settled`: executed, which
         *     a reorganization of the chain may undo; `lapsed`: no longer valid, never executed.
         * @enum {string}
         */
        QuoteState: "created" | "signed" | "settled" | "lapsed";
        /** @description The status of a quote. */
        QuoteStatus: {
            /** @description The quote. */
            quote_id: components["schemas"]["QuoteId"];
            /** @description The state of the quote and of its swap. */
            state: components["schemas"]["QuoteState"];
            /** @description The chain id (EIP-155). */
            chain_id: components["schemas"]["ChainId"];
            /** @description The pool contract. */
            pool_address: components["schemas"]["Address"];
            /** @description The Unix second in which the quote was made. */
            created_at: components["schemas"]["UnixSeconds"];
            /** @description The first instant at which the quote can no longer be signed, by the clock of the service. */
            must_accept_by: components["schemas"]["UtcTime"];
            /** @description The last Unix second in which the signed swap is valid on chain. */
            good_until: components["schemas"]["UnixSeconds"];
            signed_at: components["schemas"]["UtcTime"] | null;
            execution: components["schemas"]["Execution"] | null;
            settled: components["schemas"]["Settlement"] | null;
        };
        /** @description A swap that was quoted and signed in one request. */
        QuotedSwap: {
            /** @description The chain id (EIP-155). */
            chain_id: components["schemas"]["ChainId"];
            /** @description The token that the pool receives; the wrapped one for the native coin of the chain. */
            input_asset_address: components["schemas"]["Address"];
            /** @description The token that the pool pays; the wrapped one for the native coin of the chain. */
            output_asset_address: components["schemas"]["Address"];
            /** @description The amount that the pool receives, in base units. */
            input_amount: components["schemas"]["Amount"];
            /** @description The amount that the pool pays, in base units. */
            output_amount: components["schemas"]["Amount"];
            /** @description When the swap stops being valid on chain, as it is signed. */
            good_until: components["schemas"]["GoodUntil"];
            /** @description The last Unix second in which the swap is valid on chain; absent from earlier releases. */
            expires_at: components["schemas"]["UnixSeconds"];
            /** @description The account that receives the output. */
            destination_address: components["schemas"]["Address"];
            /** @description The signature of the service. */
            signature: components["schemas"]["Signature"];
            /** @description The pool contract, the recipient of the transaction. */
            service_exchange_address: components["schemas"]["Address"];
            /** @description Whether the swap executes regardless of other swaps; absent from earlier releases. */
            execution: components["schemas"]["Execution"];
            /** @description The encoded call; only if `calldata` was requested. */
            calldata?: components["schemas"]["Calldata"];
            /** @description The id of the quote. Signing it again for the same terms returns the same signature. */
            id: components["schemas"]["QuoteId"];
            /** @description The value of the input in US dollars, for display. */
            input_value_in_usd: components["schemas"]["DisplayNumber"];
            /** @description The value of the output in US dollars, for display. */
            output_value_in_usd: components["schemas"]["DisplayNumber"];
            /** @description The Unix second in which the quote was made. */
            created_at: components["schemas"]["UnixSeconds"];
            /** @description Whole tokens of output for one whole token of input, for display. */
            rate: components["schemas"]["DisplayNumber"];
            /** @description The pool contract that would execute the swap; absent from earlier releases. */
            pool_address: components["schemas"]["Address"];
            /** @description The state that the swap was computed in; absent from earlier releases. */
            state_id: components["schemas"]["StateId"];
            /** @description The fee included in the amounts; absent from earlier releases. */
            fee_in_basis_points: components["schemas"]["BasisPoints"];
            largest_trade_in_usd: components["schemas"]["Usd"] | null;
            /** @description The requested levels. */
            levels_id?: components["schemas"]["LevelsId"];
            /** @description The output of the requested levels for the input, at most the quoted one. */
            levels_output?: components["schemas"]["Amount"];
            /** @description The client's remaining budget for the requested levels, in base units of the input. */
            firm_budget_left_input?: components["schemas"]["BaseUnits"];
        };
        /**
         * @description Why the request is refused, a stable name; absent from earlier releases.
         * @enum {string}
         */
        Reason: "invalid_input" | "unsupported_chain" | "unsupported_asset" | "unsupported_pair" | "unsupported_pool" | "unknown_quote" | "price" | "fee" | "reserve" | "outstanding" | "disabled" | "other_terms" | "idempotency_key_reused" | "hedge_id_reused" | "too_large" | "too_small" | "exhausted" | "swaps_disabled" | "paused" | "breaker" | "trade_limit" | "pool_limit" | "client_limit" | "outstanding_limit" | "levels_expired" | "beyond_size" | "below_minimum" | "budget_used" | "reserves_moved" | "store_lost" | "destination_denied" | "client_terms" | "sender_denied" | "no_credentials" | "bad_credentials" | "basic_ended" | "no_admin_token" | "missing_role" | "foreign_site" | "another_client" | "no_status" | "no_route" | "method" | "body_too_large" | "body_too_slow" | "media_type" | "upgrade_required" | "anonymous_rate" | "failed_login_rate" | "credential_rate" | "quotes_held" | "market" | "store" | "price_board" | "key" | "clock" | "logins_busy" | "not_ready" | "shutting_down" | "internal";
        /** @description The execution of a signed swap, as the event of the pool contract states it. */
        Settlement: {
            /** @description The transaction. */
            transaction_hash: components["schemas"]["Bytes32"];
            /**
             * Format: int64
             * @description The position of the event among those of its block.
             */
            log_index: number;
            /**
             * Format: int64
             * @description The block.
             */
            block_number: number;
            /** @description The Unix second of the block. */
            block_timestamp: components["schemas"]["UnixSeconds"];
            /**
             * Format: int64
             * @description The number of blocks from this one to the newest, both included; null until the replica has read this block.
             */
            confirmations: number | null;
            /** @description The amount paid to the pool, in base units. */
            input_amount: components["schemas"]["BaseUnits"];
            /** @description The amount paid by the pool, in base units. */
            output_amount: components["schemas"]["BaseUnits"];
        };
        /** @description An ECDSA signature with a low `s` (EIP-2). */
        Signature: {
            /**
             * Format: int64
             * @description 27 or 28, by the parity of the point's y coordinate.
             */
            v: number;
            /** @description The `r` value. */
            r: components["schemas"]["Bytes32"];
            /** @description The `s` value. */
            s: components["schemas"]["Bytes32"];
        };
        /** @description A swap that the service has signed, for the pool contract to honor until `good_until`. */
        SignedSwap: {
            /** @description The chain id (EIP-155). */
            chain_id: components["schemas"]["ChainId"];
            /** @description The token that the pool receives; the wrapped one for the native coin of the chain. */
            input_asset_address: components["schemas"]["Address"];
            /** @description The token that the pool pays; the wrapped one for the native coin of the chain. */
            output_asset_address: components["schemas"]["Address"];
            /** @description The amount that the pool receives, in base units. */
            input_amount: components["schemas"]["Amount"];
            /** @description The amount that the pool pays, in base units. */
            output_amount: components["schemas"]["Amount"];
            /** @description When the swap stops being valid on chain, as it is signed. */
            good_until: components["schemas"]["GoodUntil"];
            /** @description The last Unix second in which the swap is valid on chain; absent from earlier releases. */
            expires_at: components["schemas"]["UnixSeconds"];
            /** @description The account that receives the output. */
            destination_address: components["schemas"]["Address"];
            /** @description The signature of the service. */
            signature: components["schemas"]["Signature"];
            /** @description The pool contract, the recipient of the transaction. */
            service_exchange_address: components["schemas"]["Address"];
            /** @description Whether the swap executes regardless of other swaps; absent from earlier releases. */
            execution: components["schemas"]["Execution"];
            /** @description The encoded call; only if `calldata` was requested. */
            calldata?: components["schemas"]["Calldata"];
        };
        /** @description The EIP-712 domain of the signatures, with the member names of that standard. */
        SigningDomain: {
            /** @description The `name` of the contract's domain. */
            name: string;
            /** @description The `version` of the contract's domain. */
            version: string;
            /** @description The chain id (EIP-155). */
            chainId: components["schemas"]["ChainId"];
            /** @description The pool contract. */
            verifyingContract: components["schemas"]["Address"];
        };
        /** @description The id of a pool state: 16 bytes of hex. */
        StateId: string;
        /** @description A step on the path to an input. */
        Step: string | number;
        /** @description A signed swap, and what became of it. */
        Swap: {
            /** @description The quote. */
            quote_id: components["schemas"]["QuoteId"];
            /** @description The state of the swap. */
            state: components["schemas"]["QuoteState"];
            /** @description The chain id (EIP-155). */
            chain_id: components["schemas"]["ChainId"];
            /** @description The pool contract. */
            pool_address: components["schemas"]["Address"];
            /** @description The token paid to the pool. */
            input_asset_address: components["schemas"]["Address"];
            /** @description The token paid by the pool. */
            output_asset_address: components["schemas"]["Address"];
            /** @description The signed input amount, in base units. */
            input_amount: components["schemas"]["BaseUnits"];
            /** @description The signed output amount, in base units. */
            output_amount: components["schemas"]["BaseUnits"];
            /** @description The account that receives the output. */
            destination_address: components["schemas"]["Address"];
            /** @description The time of signing. */
            signed_at: components["schemas"]["UtcTime"];
            /** @description The last Unix second in which the signed swap is valid on chain. */
            good_until: components["schemas"]["UnixSeconds"];
            /** @description Whether the signed swap executes regardless of other swaps. */
            execution: components["schemas"]["Execution"];
            settled: components["schemas"]["Settlement"] | null;
        };
        /** @description A page of signed swaps, in the order of their signatures. */
        Swaps: {
            /** @description The swaps. There may be fewer than requested although there are more. */
            swaps: components["schemas"]["Swap"][];
            /** @description The `cursor` of the next page, also for later swaps; null once there are no swaps after the cursor of the request. */
            next_cursor: string | null;
        };
        /** @description The symbol of an asset, as quote requests use it. */
        Symbol: string;
        /** @description The symbols of two assets, in either order. */
        SymbolPair: components["schemas"]["Symbol"][];
        /** @description An asset that a pool lists. */
        TradedAsset: {
            /** @description The symbol, as quote requests use it. */
            name: components["schemas"]["Symbol"];
            /** @description The token contract; the wrapped one for the native coin of the chain. */
            address: components["schemas"]["Address"];
            /** @description Decimals of the token. */
            decimals: components["schemas"]["Decimals"];
        };
        /** @description A pool and what it trades. */
        TradedPool: {
            /** @description The pool contract. */
            address: components["schemas"]["Address"];
            /** @description Whether swaps are enabled. */
            swaps_enabled: boolean;
            /** @description The smallest trade that is quoted, by input value. */
            smallest_trade_in_usd: components["schemas"]["Usd"];
            largest_trade_in_usd: components["schemas"]["Usd"] | null;
            /** @description The assets. */
            assets: components["schemas"]["TradedAsset"][];
            /** @description The symbols of each pair that trades, in either order. */
            pairs: components["schemas"]["SymbolPair"][];
        };
        /**
         * Format: int64
         * @description A Unix time in seconds.
         */
        UnixSeconds: number;
        /**
         * Format: double
         * @description An amount of US dollars.
         */
        Usd: number;
        /**
         * @description A time in UTC, with microseconds.
         * @example 2023-10-13 22:24:20.932560+00:00
         */
        UtcTime: string;
        /**
         * Format: int64
         * @description A weight in the pricing formula.
         */
        Weight: number;
        /** @description A pair in one direction for which nothing is quoted at present. */
        WithdrawnLevels: {
            /** @description The pool contract. */
            pool_address: components["schemas"]["Address"];
            /** @description The asset paid to the pool. */
            input_asset_symbol: components["schemas"]["Symbol"];
            /** @description The asset paid by the pool. */
            output_asset_symbol: components["schemas"]["Symbol"];
            /**
             * @description The reason for the withdrawal, such as `stale_prices`.
             * @enum {string}
             */
            reason: "stale_prices" | "stale_reserves" | "paused" | "swaps_disabled" | "store_unreachable" | "outstanding_limit";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description The methods that the path supports.
         * @example GET
         */
        Allow: string;
        /**
         * @description `no-store` for operations; `no-cache` for the files of the operator's page, which are revalidated each time.
         * @example no-store
         */
        CacheControl: string;
        /**
         * @description Revalidate a cached copy before use.
         * @example no-cache
         */
        CacheControlRevalidate: string;
        /**
         * @description The compression of the body, if any.
         * @example gzip
         */
        ContentEncoding: string;
        /**
         * @description Only for requests with Basic credentials: the time since which Basic is deprecated (RFC 9745).
         * @example @1767225600
         */
        Deprecation: string;
        /**
         * @description Entity tag of the response body (RFC 9110, section 8.8.3); weak for a compressed one.
         * @example "9f86d081884c7d659a2feaa0c55ad015"
         */
        EntityTag: string;
        /**
         * @description Only if a rate limit applies: the number of requests left, and the seconds until one more is available (draft-ietf-httpapi-ratelimit-headers-10).
         * @example "anonymous";r=19;t=1
         */
        RateLimit: string;
        /**
         * @description Only if a rate limit applies: the burst size, and the seconds in which an empty quota refills completely; without `w`, the maximum number at a time, such as of streams.
         * @example "anonymous";q=20;w=4
         */
        RateLimitPolicy: string;
        /**
         * @description The request id of the client if it is 1 to 64 of these characters, otherwise a generated one.
         * @example 5f0c1c8e-6a39-4d3f-9a53-0f4c9cf0b1a7
         */
        RequestId: string;
        /**
         * @description Seconds after which the request may be retried.
         * @example 2
         */
        RetryAfter: number;
        /**
         * @description Only for requests with Basic credentials: the time at which Basic ends (RFC 8594), if one is set.
         * @example Sun, 06 Nov 2044 08:49:37 GMT
         */
        Sunset: string;
        /**
         * @description The body is compressed if the client accepts gzip.
         * @example accept-encoding
         */
        Vary: string;
        /**
         * @description One challenge for each accepted scheme.
         * @example ApiKey realm="Firmquote", header="x-api-key"
         */
        WwwAuthenticate: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    quote_v1: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One JSON object of at most 16 KiB, without a content coding. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "chain_id": 1,
                 *       "input_amount": "1000000000000000000",
                 *       "input_asset_symbol": "ETH",
                 *       "output_asset_symbol": "USDC",
                 *       "strict": false,
                 *       "time_in_seconds": 60
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: int64
                     * @description The chain id (EIP-155).
                     */
                    chain_id: number;
                    /** @description Symbol of the input asset, which is its `name` in the pool data; case-sensitive. */
                    input_asset_symbol?: string | null;
                    /** @description Symbol of the output asset, which is its `name` in the pool data; case-sensitive. */
                    output_asset_symbol?: string | null;
                    /** @description Address of the input token, instead of `input_asset_symbol`; the wrapped one for the native coin. Mixed case must be a valid EIP-55 checksum. */
                    input_asset_address?: string | null;
                    /** @description Address of the output token, instead of `output_asset_symbol`; the wrapped one for the native coin. Mixed case must be a valid EIP-55 checksum. */
                    output_asset_address?: string | null;
                    /** @description Input amount in base units, 1 to 2^256 - 1. Exactly one of `input_amount` and `output_amount` is required. */
                    input_amount?: string | null;
                    /** @description Output amount in base units, 1 to 2^256 - 1. Exactly one of `input_amount` and `output_amount` is required. */
                    output_amount?: string | null;
                    /**
                     * Format: int64
                     * @description Maximum seconds between acceptance and the transaction on chain; the fee grows with them. Range (1 to 120 unless configured otherwise) and default depend on the pool.
                     */
                    time_in_seconds?: number | null;
                    /** @description Whether an input that the operation does not have is an error; false by default: it is ignored. */
                    strict?: boolean | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The quote. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chain_id": 1,
                     *       "created_at": 1697235848,
                     *       "fee_in_basis_points": 8.63,
                     *       "good_until": 1697235920,
                     *       "id": "05a51aa6-41b5-4c61-a452-f1b95d0d43e4",
                     *       "input_amount": "1000000000000000000",
                     *       "input_asset_address": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                     *       "input_value_in_usd": 2080.527,
                     *       "largest_trade_in_usd": null,
                     *       "must_accept_by": "2023-10-13 22:24:20.932560+00:00",
                     *       "output_amount": "2078539413",
                     *       "output_asset_address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                     *       "output_value_in_usd": 2078.539413,
                     *       "pool_address": "0x655eDCE464CC797526600a462A8154650EEe4B77",
                     *       "rate": 2078.539413,
                     *       "state_id": "70d694998af847a90115a30a7266ae1a"
                     *     }
                     */
                    "application/json": components["schemas"]["Quote"];
                };
            };
            /** @description An input is missing, malformed or out of range, or inputs are mutually exclusive; `data` lists each. The chain is not supported. The asset is not supported; `field` names the input. No pool swaps this pair. The pool is not supported. The amount is larger than the pool can serve, at most `max_amount`. The amount is too small, at least `min_amount`. The reserves are too small for any amount of this swap. Swaps are disabled for the pool. The operator paused the pool. A breaker stopped these swaps of the pool, until the operator resumes it. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description Credentials are required. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The terms of the client do not include this pool or pair. The credentials are wrong, revoked, or of a scheme that is not accepted. Basic credentials are no longer accepted. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The body is larger than 16 KiB. */
            413: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The content type of the body is not JSON, or the body has a content coding. */
            415: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for requests without credentials. The client address exceeded its rate limit for wrong credentials. The client exceeded its request rate limit, or has too many level streams. The client holds its full share of the live quotes that the store can hold. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A price or a reserve is currently unknown or not trusted. The store is not available, or what it knew of the last minute or of outstanding swaps is lost. Too many concurrent logins. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    sign_v1: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One JSON object of at most 16 KiB, without a content coding. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "aux_data": "0x4669726d71756f74650000000000000000000000000000000000000000000000",
                 *       "calldata": true,
                 *       "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
                 *       "guarantee": false,
                 *       "native_input": true,
                 *       "quote_id": "05a51aa6-41b5-4c61-a452-f1b95d0d43e4",
                 *       "sender_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
                 *       "strict": false,
                 *       "transmit": false
                 *     }
                 */
                "application/json": {
                    /** @description `id` of the quote. */
                    quote_id: string;
                    /** @description Account that receives the output; if in mixed case, with a valid EIP-55 checksum. Neither the zero address nor an address where the output would be lost. */
                    destination_address: string;
                    /** @description Account that pays the input, by default the destination; if in mixed case, with a valid EIP-55 checksum. */
                    sender_address?: string | null;
                    /** @description 32 bytes emitted in the swap event; by default the service name. */
                    aux_data?: string | null;
                    /** @description Whether the response contains the encoded call; false by default. */
                    calldata?: boolean | null;
                    /** @description Whether the input is the chain's native coin; false by default. Excludes `native_output`. */
                    native_input?: boolean | null;
                    /** @description Whether the output is the chain's native coin; false by default. Excludes `native_input`. */
                    native_output?: boolean | null;
                    /** @description Whether the call pulls the input from its caller, which requires an allowance; false by default: the input is already in the pool. */
                    transmit?: boolean | null;
                    /** @description Requires a guaranteed swap; false by default. Where the contract checks the curve, a guarantee limits other swaps and requires credentials and a minimum size. */
                    guarantee?: boolean | null;
                    /** @description Whether an input that the operation does not have is an error; false by default: it is ignored. */
                    strict?: boolean | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The signed swap. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "calldata": "0x27a9b424000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb480000000000000000000000000000000000000000000000000de0b6b3a7640000000000000000000000000000000000000000000000000000000000007be3fe950000003070e843600000000005f5e10000d529ae9e860000004f00bc6529c3d00000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed000000000000000000000000000000000000000000000000000000000000001b535594697308fb86df2a278c28a2bc77434b217e76badd764b412d7cc5821ef0072516864fd690119153ff1fbd7dcf1a392be98f5b0b6e9d0e61ed4c0c542d7a000000000000000000000000000000000000000000000000000000000000012000000000000000000000000000000000000000000000000000000000000000204669726d71756f74650000000000000000000000000000000000000000000000",
                     *       "chain_id": 1,
                     *       "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
                     *       "execution": "best_effort",
                     *       "expires_at": 1697235920,
                     *       "good_until": "1305967964221884476954132374366490859220409286614282592359675530429392",
                     *       "input_amount": "1000000000000000000",
                     *       "input_asset_address": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                     *       "output_amount": "2078539413",
                     *       "output_asset_address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                     *       "service_exchange_address": "0x655eDCE464CC797526600a462A8154650EEe4B77",
                     *       "signature": {
                     *         "r": "0x535594697308fb86df2a278c28a2bc77434b217e76badd764b412d7cc5821ef0",
                     *         "s": "0x072516864fd690119153ff1fbd7dcf1a392be98f5b0b6e9d0e61ed4c0c542d7a",
                     *         "v": 27
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignedSwap"];
                };
            };
            /** @description An input is missing, malformed or out of range, or inputs are mutually exclusive; `data` lists each. The quote is unknown or has expired. The pool would give less than quoted at the latest prices. The pool would give less than quoted with the latest fee. The reserves moved too far for the quote. Other signed swaps may be executed first, or an equal offer is already signed. The pool no longer swaps these assets, or not on these terms. The quote is signed for other terms. The operator paused the pool. A breaker stopped these swaps of the pool, until the operator resumes it. The trade is above the operator's limit for one trade: at most `max_amount`, or `largest_trade_in_usd`. The pool has reached its limit for the value signed in one minute. The client has reached its limit for the value signed in one minute. A limit on outstanding swaps, of the pool or of the client, is reached; `output_left` would be signed. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description Credentials are required. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The pool does not sign for this destination. The terms of the client do not include this pool or pair. The pool does not sign for this sender. The credentials are wrong, revoked, or of a scheme that is not accepted. Basic credentials are no longer accepted. The quote belongs to another client. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The body is larger than 16 KiB. */
            413: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The content type of the body is not JSON, or the body has a content coding. */
            415: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for requests without credentials. The client address exceeded its rate limit for wrong credentials. The client exceeded its request rate limit, or has too many level streams. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A price or a reserve is currently unknown or not trusted. The store is not available, or what it knew of the last minute or of outstanding swaps is lost. The signing key is not available. The clock of the service cannot be trusted. Too many concurrent logins. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    quote_v2: {
        parameters: {
            query?: {
                /**
                 * @description Symbol of the input asset, which is its `name` in the pool data; case-sensitive.
                 * @example ETH
                 */
                input_asset_symbol?: string;
                /**
                 * @description Symbol of the output asset, which is its `name` in the pool data; case-sensitive.
                 * @example USDC
                 */
                output_asset_symbol?: string;
                /** @description Address of the input token, instead of `input_asset_symbol`; the wrapped one for the native coin. Mixed case must be a valid EIP-55 checksum. */
                input_asset_address?: string;
                /** @description Address of the output token, instead of `output_asset_symbol`; the wrapped one for the native coin. Mixed case must be a valid EIP-55 checksum. */
                output_asset_address?: string;
                /**
                 * @description Input amount in base units, 1 to 2^256 - 1. Exactly one of `input_amount` and `output_amount` is required.
                 * @example 1000000000000000000
                 */
                input_amount?: string;
                /** @description Output amount in base units, 1 to 2^256 - 1. Exactly one of `input_amount` and `output_amount` is required. */
                output_amount?: string;
                /**
                 * @description Maximum seconds between acceptance and the transaction on chain; the fee grows with them. Range (1 to 120 unless configured otherwise) and default depend on the pool.
                 * @example 60
                 */
                time_in_seconds?: number;
                /**
                 * @description Address of the pool contract. Mixed case must be a valid EIP-55 checksum.
                 * @example 0x655eDCE464CC797526600a462A8154650EEe4B77
                 */
                pool_address?: string;
                /** @description `levels_id` of a firm book: the quote pays at least the book's output for its input, on top of the budget already used. Pair and `time_in_seconds` must match the book. */
                levels_id?: string;
                /**
                 * @description Whether an input that the operation does not have is an error; false by default: it is ignored.
                 * @example false
                 */
                strict?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The chain id (EIP-155).
                 * @example 1
                 */
                chain_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The quote. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chain_id": 1,
                     *       "created_at": 1697235848,
                     *       "fee_in_basis_points": 8.63,
                     *       "good_until": 1697235920,
                     *       "id": "05a51aa6-41b5-4c61-a452-f1b95d0d43e4",
                     *       "input_amount": "1000000000000000000",
                     *       "input_asset_address": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                     *       "input_value_in_usd": 2080.527,
                     *       "largest_trade_in_usd": null,
                     *       "must_accept_by": "2023-10-13 22:24:20.932560+00:00",
                     *       "output_amount": "2078539413",
                     *       "output_asset_address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                     *       "output_value_in_usd": 2078.539413,
                     *       "pool_address": "0x655eDCE464CC797526600a462A8154650EEe4B77",
                     *       "rate": 2078.539413,
                     *       "state_id": "70d694998af847a90115a30a7266ae1a"
                     *     }
                     */
                    "application/json": components["schemas"]["Quote"];
                };
            };
            /** @description An input is missing, malformed or out of range, or inputs are mutually exclusive; `data` lists each. The chain is not supported. The asset is not supported; `field` names the input. No pool swaps this pair. The pool is not supported. The amount is larger than the pool can serve, at most `max_amount`. The amount is too small, at least `min_amount`. The reserves are too small for any amount of this swap. Swaps are disabled for the pool. The operator paused the pool. A breaker stopped these swaps of the pool, until the operator resumes it. A limit on outstanding swaps, of the pool or of the client, is reached; `output_left` would be signed. The levels have expired, or were never firm. The amount is beyond the last knot of the levels, or their whole budget. The amount is below the first knot of the levels. Other quotes and swaps of the client leave too little of the budget of the levels. The reserves moved so far that the levels cannot be honored. The service lost its record of the levels. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description Credentials are required. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The terms of the client do not include this pool or pair. The credentials are wrong, revoked, or of a scheme that is not accepted. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not exist. */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for wrong credentials. The client exceeded its request rate limit, or has too many level streams. The client holds its full share of the live quotes that the store can hold. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A price or a reserve is currently unknown or not trusted. The store is not available, or what it knew of the last minute or of outstanding swaps is lost. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    sign_v2: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One JSON object of at most 16 KiB, without a content coding. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "aux_data": "0x4669726d71756f74650000000000000000000000000000000000000000000000",
                 *       "calldata": true,
                 *       "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
                 *       "guarantee": false,
                 *       "native_input": true,
                 *       "quote_id": "05a51aa6-41b5-4c61-a452-f1b95d0d43e4",
                 *       "sender_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
                 *       "strict": false,
                 *       "transmit": false
                 *     }
                 */
                "application/json": {
                    /** @description `id` of the quote. */
                    quote_id: string;
                    /** @description Account that receives the output; if in mixed case, with a valid EIP-55 checksum. Neither the zero address nor an address where the output would be lost. */
                    destination_address: string;
                    /** @description Account that pays the input, by default the destination; if in mixed case, with a valid EIP-55 checksum. */
                    sender_address?: string | null;
                    /** @description 32 bytes emitted in the swap event; by default the service name. */
                    aux_data?: string | null;
                    /** @description Whether the response contains the encoded call; false by default. */
                    calldata?: boolean | null;
                    /** @description Whether the input is the chain's native coin; false by default. Excludes `native_output`. */
                    native_input?: boolean | null;
                    /** @description Whether the output is the chain's native coin; false by default. Excludes `native_input`. */
                    native_output?: boolean | null;
                    /** @description Whether the call pulls the input from its caller, which requires an allowance; false by default: the input is already in the pool. */
                    transmit?: boolean | null;
                    /** @description Requires a guaranteed swap; false by default. Where the contract checks the curve, a guarantee limits other swaps and requires credentials and a minimum size. */
                    guarantee?: boolean | null;
                    /** @description Whether an input that the operation does not have is an error; false by default: it is ignored. */
                    strict?: boolean | null;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The signed swap. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "calldata": "0x27a9b424000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb480000000000000000000000000000000000000000000000000de0b6b3a7640000000000000000000000000000000000000000000000000000000000007be3fe950000003070e843600000000005f5e10000d529ae9e860000004f00bc6529c3d00000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed000000000000000000000000000000000000000000000000000000000000001b535594697308fb86df2a278c28a2bc77434b217e76badd764b412d7cc5821ef0072516864fd690119153ff1fbd7dcf1a392be98f5b0b6e9d0e61ed4c0c542d7a000000000000000000000000000000000000000000000000000000000000012000000000000000000000000000000000000000000000000000000000000000204669726d71756f74650000000000000000000000000000000000000000000000",
                     *       "chain_id": 1,
                     *       "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
                     *       "execution": "best_effort",
                     *       "expires_at": 1697235920,
                     *       "good_until": "1305967964221884476954132374366490859220409286614282592359675530429392",
                     *       "input_amount": "1000000000000000000",
                     *       "input_asset_address": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                     *       "output_amount": "2078539413",
                     *       "output_asset_address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                     *       "service_exchange_address": "0x655eDCE464CC797526600a462A8154650EEe4B77",
                     *       "signature": {
                     *         "r": "0x535594697308fb86df2a278c28a2bc77434b217e76badd764b412d7cc5821ef0",
                     *         "s": "0x072516864fd690119153ff1fbd7dcf1a392be98f5b0b6e9d0e61ed4c0c542d7a",
                     *         "v": 27
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SignedSwap"];
                };
            };
            /** @description An input is missing, malformed or out of range, or inputs are mutually exclusive; `data` lists each. The quote is unknown or has expired. The pool would give less than quoted at the latest prices. The pool would give less than quoted with the latest fee. The reserves moved too far for the quote. Other signed swaps may be executed first, or an equal offer is already signed. The pool no longer swaps these assets, or not on these terms. The quote is signed for other terms. The operator paused the pool. A breaker stopped these swaps of the pool, until the operator resumes it. The trade is above the operator's limit for one trade: at most `max_amount`, or `largest_trade_in_usd`. The pool has reached its limit for the value signed in one minute. The client has reached its limit for the value signed in one minute. A limit on outstanding swaps, of the pool or of the client, is reached; `output_left` would be signed. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description Credentials are required. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The pool does not sign for this destination. The terms of the client do not include this pool or pair. The pool does not sign for this sender. The credentials are wrong, revoked, or of a scheme that is not accepted. The quote belongs to another client. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The body did not arrive in time. */
            408: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The body is larger than 16 KiB. */
            413: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The content type of the body is not JSON, or the body has a content coding. */
            415: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for wrong credentials. The client exceeded its request rate limit, or has too many level streams. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A price or a reserve is currently unknown or not trusted. The store is not available, or what it knew of the last minute or of outstanding swaps is lost. The signing key is not available. The clock of the service cannot be trusted. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    quote_sign_v2: {
        parameters: {
            query: {
                /**
                 * @description Symbol of the input asset, which is its `name` in the pool data; case-sensitive.
                 * @example ETH
                 */
                input_asset_symbol?: string;
                /**
                 * @description Symbol of the output asset, which is its `name` in the pool data; case-sensitive.
                 * @example USDC
                 */
                output_asset_symbol?: string;
                /** @description Address of the input token, instead of `input_asset_symbol`; the wrapped one for the native coin. Mixed case must be a valid EIP-55 checksum. */
                input_asset_address?: string;
                /** @description Address of the output token, instead of `output_asset_symbol`; the wrapped one for the native coin. Mixed case must be a valid EIP-55 checksum. */
                output_asset_address?: string;
                /**
                 * @description Input amount in base units, 1 to 2^256 - 1. Exactly one of `input_amount` and `output_amount` is required.
                 * @example 1000000000000000000
                 */
                input_amount?: string;
                /** @description Output amount in base units, 1 to 2^256 - 1. Exactly one of `input_amount` and `output_amount` is required. */
                output_amount?: string;
                /**
                 * @description Maximum seconds between acceptance and the transaction on chain; the fee grows with them. Range (1 to 120 unless configured otherwise) and default depend on the pool.
                 * @example 60
                 */
                time_in_seconds?: number;
                /**
                 * @description Address of the pool contract. Mixed case must be a valid EIP-55 checksum.
                 * @example 0x655eDCE464CC797526600a462A8154650EEe4B77
                 */
                pool_address?: string;
                /** @description `levels_id` of a firm book: the quote pays at least the book's output for its input, on top of the budget already used. Pair and `time_in_seconds` must match the book. */
                levels_id?: string;
                /**
                 * @description Account that receives the output; if in mixed case, with a valid EIP-55 checksum. Neither the zero address nor an address where the output would be lost.
                 * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
                 */
                destination_address: string;
                /**
                 * @description Account that pays the input, by default the destination; if in mixed case, with a valid EIP-55 checksum.
                 * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
                 */
                sender_address?: string;
                /**
                 * @description 32 bytes emitted in the swap event; by default the service name.
                 * @example 0x4669726d71756f74650000000000000000000000000000000000000000000000
                 */
                aux_data?: string;
                /**
                 * @description Whether the response contains the encoded call; false by default.
                 * @example true
                 */
                calldata?: boolean;
                /**
                 * @description Whether the input is the chain's native coin; false by default. Excludes `native_output`.
                 * @example true
                 */
                native_input?: boolean;
                /** @description Whether the output is the chain's native coin; false by default. Excludes `native_input`. */
                native_output?: boolean;
                /**
                 * @description Whether the call pulls the input from its caller, which requires an allowance; false by default: the input is already in the pool.
                 * @example false
                 */
                transmit?: boolean;
                /**
                 * @description Requires a guaranteed swap; false by default. Where the contract checks the curve, a guarantee limits other swaps and requires credentials and a minimum size.
                 * @example false
                 */
                guarantee?: boolean;
                /**
                 * @description Whether an input that the operation does not have is an error; false by default: it is ignored.
                 * @example false
                 */
                strict?: boolean;
            };
            header?: {
                /**
                 * @description A key of the client's choice, 1 to 128 visible ASCII characters: the same request with the same key gets the same answer.
                 * @example 8e03978e-40d5-43dd-bc93-6894a57f9324
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The chain id (EIP-155).
                 * @example 1
                 */
                chain_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The signed swap and its quote. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "calldata": "0x27a9b424000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb480000000000000000000000000000000000000000000000000de0b6b3a7640000000000000000000000000000000000000000000000000000000000007be3fe950000003070e843600000000005f5e10000d529ae9e860000004f00bc6529c3d00000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed000000000000000000000000000000000000000000000000000000000000001b535594697308fb86df2a278c28a2bc77434b217e76badd764b412d7cc5821ef0072516864fd690119153ff1fbd7dcf1a392be98f5b0b6e9d0e61ed4c0c542d7a000000000000000000000000000000000000000000000000000000000000012000000000000000000000000000000000000000000000000000000000000000204669726d71756f74650000000000000000000000000000000000000000000000",
                     *       "chain_id": 1,
                     *       "created_at": 1697235848,
                     *       "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
                     *       "execution": "best_effort",
                     *       "expires_at": 1697235920,
                     *       "fee_in_basis_points": 8.63,
                     *       "good_until": "1305967964221884476954132374366490859220409286614282592359675530429392",
                     *       "id": "05a51aa6-41b5-4c61-a452-f1b95d0d43e4",
                     *       "input_amount": "1000000000000000000",
                     *       "input_asset_address": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                     *       "input_value_in_usd": 2080.527,
                     *       "largest_trade_in_usd": null,
                     *       "output_amount": "2078539413",
                     *       "output_asset_address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                     *       "output_value_in_usd": 2078.539413,
                     *       "pool_address": "0x655eDCE464CC797526600a462A8154650EEe4B77",
                     *       "rate": 2078.539413,
                     *       "service_exchange_address": "0x655eDCE464CC797526600a462A8154650EEe4B77",
                     *       "signature": {
                     *         "r": "0x535594697308fb86df2a278c28a2bc77434b217e76badd764b412d7cc5821ef0",
                     *         "s": "0x072516864fd690119153ff1fbd7dcf1a392be98f5b0b6e9d0e61ed4c0c542d7a",
                     *         "v": 27
                     *       },
                     *       "state_id": "70d694998af847a90115a30a7266ae1a"
                     *     }
                     */
                    "application/json": components["schemas"]["QuotedSwap"];
                };
            };
            /** @description An input is missing, malformed or out of range, or inputs are mutually exclusive; `data` lists each. The chain is not supported. The asset is not supported; `field` names the input. No pool swaps this pair. The pool is not supported. The quote is unknown or has expired. The pool would give less than quoted at the latest prices. The pool would give less than quoted with the latest fee. The reserves moved too far for the quote. Other signed swaps may be executed first, or an equal offer is already signed. The pool no longer swaps these assets, or not on these terms. The quote is signed for other terms. The `Idempotency-Key` was used for another request. The amount is larger than the pool can serve, at most `max_amount`. The amount is too small, at least `min_amount`. The reserves are too small for any amount of this swap. Swaps are disabled for the pool. The operator paused the pool. A breaker stopped these swaps of the pool, until the operator resumes it. The trade is above the operator's limit for one trade: at most `max_amount`, or `largest_trade_in_usd`. The pool has reached its limit for the value signed in one minute. The client has reached its limit for the value signed in one minute. A limit on outstanding swaps, of the pool or of the client, is reached; `output_left` would be signed. The levels have expired, or were never firm. The amount is beyond the last knot of the levels, or their whole budget. The amount is below the first knot of the levels. Other quotes and swaps of the client leave too little of the budget of the levels. The reserves moved so far that the levels cannot be honored. The service lost its record of the levels. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description Credentials are required. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The pool does not sign for this destination. The terms of the client do not include this pool or pair. The pool does not sign for this sender. The credentials are wrong, revoked, or of a scheme that is not accepted. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not exist. */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for wrong credentials. The client exceeded its request rate limit, or has too many level streams. The client holds its full share of the live quotes that the store can hold. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A price or a reserve is currently unknown or not trusted. The store is not available, or what it knew of the last minute or of outstanding swaps is lost. The signing key is not available. The clock of the service cannot be trusted. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    pool_v1: {
        parameters: {
            query: {
                /**
                 * @description The chain id (EIP-155).
                 * @example 1
                 */
                chain_id: number;
                /**
                 * @description The set of pool data to return; by default balances and values.
                 * @example offchain-data
                 */
                fieldset?: "offchain-data" | "all";
                /**
                 * @description Maximum seconds between acceptance and the transaction on chain; the fee grows with them. Range (1 to 120 unless configured otherwise) and default depend on the pool.
                 * @example 60
                 */
                time_in_seconds?: number;
                /**
                 * @description Whether an input that the operation does not have is an error; false by default: it is ignored.
                 * @example false
                 */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pool. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolResponse"];
                };
            };
            /** @description An input is missing, malformed or out of range, or inputs are mutually exclusive; `data` lists each. The chain is not supported. The asset is not supported; `field` names the input. No pool swaps this pair. The pool is not supported. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description Credentials are required. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The credentials are wrong, revoked, or of a scheme that is not accepted. Basic credentials are no longer accepted. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for wrong credentials. The client exceeded its request rate limit, or has too many level streams. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A price or a reserve is currently unknown or not trusted. Too many concurrent logins. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    Deprecation: components["headers"]["Deprecation"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    Sunset: components["headers"]["Sunset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    chains_v2: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The chains. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chains": [
                     *         {
                     *           "chain_id": 1,
                     *           "native_symbol": "ETH",
                     *           "pools": [
                     *             {
                     *               "address": "0x655eDCE464CC797526600a462A8154650EEe4B77",
                     *               "assets": [
                     *                 {
                     *                   "address": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                     *                   "decimals": 18,
                     *                   "name": "ETH"
                     *                 },
                     *                 {
                     *                   "address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                     *                   "decimals": 6,
                     *                   "name": "USDC"
                     *                 },
                     *                 {
                     *                   "address": "0xdAC17F958D2ee523a2206206994597C13D831ec7",
                     *                   "decimals": 6,
                     *                   "name": "USDT"
                     *                 },
                     *                 {
                     *                   "address": "0x6B175474E89094C44Da98b954EedeAC495271d0F",
                     *                   "decimals": 18,
                     *                   "name": "DAI"
                     *                 }
                     *               ],
                     *               "largest_trade_in_usd": null,
                     *               "pairs": [
                     *                 [
                     *                   "ETH",
                     *                   "USDC"
                     *                 ],
                     *                 [
                     *                   "ETH",
                     *                   "USDT"
                     *                 ],
                     *                 [
                     *                   "ETH",
                     *                   "DAI"
                     *                 ],
                     *                 [
                     *                   "USDC",
                     *                   "USDT"
                     *                 ],
                     *                 [
                     *                   "USDC",
                     *                   "DAI"
                     *                 ],
                     *                 [
                     *                   "USDT",
                     *                   "DAI"
                     *                 ]
                     *               ],
                     *               "smallest_trade_in_usd": 0.1,
                     *               "swaps_enabled": true
                     *             }
                     *           ],
                     *           "wrapped_native_address": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                     *           "wrapped_native_symbol": "ETH"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Chains"];
                };
            };
            /** @description Credentials are required. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The credentials are wrong, revoked, or of a scheme that is not accepted. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for wrong credentials. The client exceeded its request rate limit, or has too many level streams. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    pools_v2: {
        parameters: {
            query?: {
                /**
                 * @description The set of pool data to return; by default balances and values.
                 * @example offchain-data
                 */
                fieldset?: "offchain-data" | "all";
                /**
                 * @description Address of the pool contract. Mixed case must be a valid EIP-55 checksum.
                 * @example 0x655eDCE464CC797526600a462A8154650EEe4B77
                 */
                pool_address?: string;
                /**
                 * @description Maximum seconds between acceptance and the transaction on chain; the fee grows with them. Range (1 to 120 unless configured otherwise) and default depend on the pool.
                 * @example 60
                 */
                time_in_seconds?: number;
                /**
                 * @description Returns the pool in this state, which a quote or pool data of this replica named within the last minute.
                 * @example 70d694998af847a90115a30a7266ae1a
                 */
                state_id?: string;
                /**
                 * @description Whether an input that the operation does not have is an error; false by default: it is ignored.
                 * @example false
                 */
                strict?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The chain id (EIP-155).
                 * @example 1
                 */
                chain_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pools. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PoolsResponse"];
                };
            };
            /** @description An input is missing, malformed or out of range, or inputs are mutually exclusive; `data` lists each. The chain is not supported. The asset is not supported; `field` names the input. No pool swaps this pair. The pool is not supported. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description Credentials are required. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The credentials are wrong, revoked, or of a scheme that is not accepted. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not exist. */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for wrong credentials. The client exceeded its request rate limit, or has too many level streams. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A price or a reserve is currently unknown or not trusted. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    quote_status_v2: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description `id` of the quote.
                 * @example 05a51aa6-41b5-4c61-a452-f1b95d0d43e4
                 */
                quote_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The status. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chain_id": 1,
                     *       "created_at": 1697235848,
                     *       "execution": "best_effort",
                     *       "good_until": 1697235920,
                     *       "must_accept_by": "2023-10-13 22:24:20.932560+00:00",
                     *       "pool_address": "0x655eDCE464CC797526600a462A8154650EEe4B77",
                     *       "quote_id": "05a51aa6-41b5-4c61-a452-f1b95d0d43e4",
                     *       "settled": {
                     *         "block_number": 18345678,
                     *         "block_timestamp": 1697235863,
                     *         "confirmations": 3,
                     *         "input_amount": "1000000000000000000",
                     *         "log_index": 12,
                     *         "output_amount": "2078539413",
                     *         "transaction_hash": "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060"
                     *       },
                     *       "signed_at": "2023-10-13 22:24:08.932560+00:00",
                     *       "state": "settled"
                     *     }
                     */
                    "application/json": components["schemas"]["QuoteStatus"];
                };
            };
            /** @description An input is missing, malformed or out of range, or inputs are mutually exclusive; `data` lists each. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description Credentials are required. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The credentials are wrong, revoked, or of a scheme that is not accepted. The quote belongs to another client. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The quote does not exist, has expired unsigned, or its status is no longer retained. The path does not exist. */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for wrong credentials. The client exceeded its request rate limit, or has too many level streams. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The store is not available, or what it knew of the last minute or of outstanding swaps is lost. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    swaps_v2: {
        parameters: {
            query?: {
                /**
                 * @description Only swaps that were signed in this Unix second or later.
                 * @example 1697235840
                 */
                since?: number;
                /**
                 * @description Only swaps that were signed before this Unix second.
                 * @example 1697322240
                 */
                until?: number;
                /** @description The `next_cursor` of the page before. */
                cursor?: string;
                /**
                 * @description The most swaps to return, 1 to 100; 100 by default.
                 * @example 100
                 */
                limit?: number;
                /**
                 * @description Whether an input that the operation does not have is an error; false by default: it is ignored.
                 * @example false
                 */
                strict?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of swaps. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "next_cursor": "0006079f1b0b9050bdb2784e107b4daba125b6f62540d958",
                     *       "swaps": [
                     *         {
                     *           "chain_id": 1,
                     *           "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
                     *           "execution": "best_effort",
                     *           "good_until": 1697235920,
                     *           "input_amount": "1000000000000000000",
                     *           "input_asset_address": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                     *           "output_amount": "2078539413",
                     *           "output_asset_address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                     *           "pool_address": "0x655eDCE464CC797526600a462A8154650EEe4B77",
                     *           "quote_id": "05a51aa6-41b5-4c61-a452-f1b95d0d43e4",
                     *           "settled": {
                     *             "block_number": 18345678,
                     *             "block_timestamp": 1697235863,
                     *             "confirmations": 3,
                     *             "input_amount": "1000000000000000000",
                     *             "log_index": 12,
                     *             "output_amount": "2078539413",
                     *             "transaction_hash": "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060"
                     *           },
                     *           "signed_at": "2023-10-13 22:24:08.932560+00:00",
                     *           "state": "settled"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Swaps"];
                };
            };
            /** @description An input is missing, malformed or out of range, or inputs are mutually exclusive; `data` lists each. The chain is not supported. The asset is not supported; `field` names the input. No pool swaps this pair. The pool is not supported. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description Credentials are required. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The credentials are wrong, revoked, or of a scheme that is not accepted. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for wrong credentials. The client exceeded its request rate limit, or has too many level streams. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The store is not available, or what it knew of the last minute or of outstanding swaps is lost. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    curve_v2: {
        parameters: {
            query: {
                /**
                 * @description Symbol of the input asset, which is its `name` in the pool data; case-sensitive.
                 * @example ETH
                 */
                input_asset_symbol?: string;
                /**
                 * @description Symbol of the output asset, which is its `name` in the pool data; case-sensitive.
                 * @example USDC
                 */
                output_asset_symbol?: string;
                /** @description Address of the input token, instead of `input_asset_symbol`; the wrapped one for the native coin. Mixed case must be a valid EIP-55 checksum. */
                input_asset_address?: string;
                /** @description Address of the output token, instead of `output_asset_symbol`; the wrapped one for the native coin. Mixed case must be a valid EIP-55 checksum. */
                output_asset_address?: string;
                /**
                 * @description 1 to 32 input amounts in base units, separated by commas.
                 * @example 1000000000000000000,2000000000000000000
                 */
                amounts: string;
                /**
                 * @description 1 to 8 validities as in `time_in_seconds`, separated by commas; by default that of the pool.
                 * @example 15,60
                 */
                times?: string;
                /**
                 * @description Address of the pool contract. Mixed case must be a valid EIP-55 checksum.
                 * @example 0x655eDCE464CC797526600a462A8154650EEe4B77
                 */
                pool_address?: string;
                /**
                 * @description Whether an input that the operation does not have is an error; false by default: it is ignored.
                 * @example false
                 */
                strict?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The chain id (EIP-155).
                 * @example 1
                 */
                chain_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The outputs. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chain_id": 1,
                     *       "input_amounts": [
                     *         "1000000000000000000",
                     *         "2000000000000000000"
                     *       ],
                     *       "input_asset_address": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                     *       "output_asset_address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                     *       "pool_address": "0x655eDCE464CC797526600a462A8154650EEe4B77",
                     *       "rows": [
                     *         {
                     *           "fee_in_basis_points": 7.23,
                     *           "output_amounts": [
                     *             "2078830598",
                     *             "4156776906"
                     *           ],
                     *           "time_in_seconds": 15
                     *         },
                     *         {
                     *           "fee_in_basis_points": 8.63,
                     *           "output_amounts": [
                     *             "2078539413",
                     *             "4156194784"
                     *           ],
                     *           "time_in_seconds": 60
                     *         }
                     *       ],
                     *       "state_id": "70d694998af847a90115a30a7266ae1a"
                     *     }
                     */
                    "application/json": components["schemas"]["QuoteGrid"];
                };
            };
            /** @description An input is missing, malformed or out of range, or inputs are mutually exclusive; `data` lists each. The chain is not supported. The asset is not supported; `field` names the input. No pool swaps this pair. The pool is not supported. The reserves are too small for any amount of this swap. Swaps are disabled for the pool. The operator paused the pool. A breaker stopped these swaps of the pool, until the operator resumes it. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description Credentials are required. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The terms of the client do not include this pool or pair. The credentials are wrong, revoked, or of a scheme that is not accepted. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not exist. */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for wrong credentials. The client exceeded its request rate limit, or has too many level streams. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A price or a reserve is currently unknown or not trusted. The store is not available, or what it knew of the last minute or of outstanding swaps is lost. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    levels_v2: {
        parameters: {
            query?: {
                /**
                 * @description 1 to 256 books, each an input and an output symbol joined by a hyphen, separated by commas; by default all pairs in both directions.
                 * @example ETH-USDC,USDC-ETH
                 */
                pairs?: string;
                /**
                 * @description Address of the pool contract. Mixed case must be a valid EIP-55 checksum.
                 * @example 0x655eDCE464CC797526600a462A8154650EEe4B77
                 */
                pool_address?: string;
                /**
                 * @description Maximum seconds between acceptance and the transaction on chain; the fee grows with them. Range (1 to 120 unless configured otherwise) and default depend on the pool.
                 * @example 60
                 */
                time_in_seconds?: number;
                /**
                 * @description Maximum number of knots in a book, 2 to 64; 16 by default.
                 * @example 4
                 */
                knots?: number;
                /**
                 * @description How levels are written: `cumulative` knots, the default, or `incremental` bands.
                 * @example cumulative
                 */
                format?: "cumulative" | "incremental";
                /**
                 * @description Whether an input that the operation does not have is an error; false by default: it is ignored.
                 * @example false
                 */
                strict?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The chain id (EIP-155).
                 * @example 1
                 */
                chain_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The books. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControlRevalidate"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    ETag: components["headers"]["EntityTag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "books": [
                     *         {
                     *           "as_of_ms": 1697235848932,
                     *           "certain": true,
                     *           "fee_in_basis_points": 8.63,
                     *           "firm": false,
                     *           "firm_budget_input": null,
                     *           "input_asset_address": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                     *           "input_asset_decimals": 18,
                     *           "input_asset_symbol": "ETH",
                     *           "knots": [
                     *             [
                     *               "48064898581732",
                     *               "99926"
                     *             ],
                     *             [
                     *               "9825097885643483524",
                     *               "20383301748"
                     *             ],
                     *             [
                     *               "37893715608467162896",
                     *               "78127267210"
                     *             ],
                     *             [
                     *               "80033515310597205986",
                     *               "163345214132"
                     *             ]
                     *           ],
                     *           "levels_id": "3f0c5e1d7a9b4c268e54d0b1a6f39c72",
                     *           "max_shortfall_bps": 23.71,
                     *           "maximum_input": "80033515310597205986",
                     *           "minimum_input": "48064898581732",
                     *           "output_asset_address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                     *           "output_asset_decimals": 6,
                     *           "output_asset_symbol": "USDC",
                     *           "pool_address": "0x655eDCE464CC797526600a462A8154650EEe4B77",
                     *           "published_ms": 1697235848932,
                     *           "semantics": "cumulative_input_output_floor",
                     *           "seq": 1,
                     *           "state_id": "70d694998af847a90115a30a7266ae1a",
                     *           "time_in_seconds": 60,
                     *           "valid_until_ms": 1697235853932
                     *         },
                     *         {
                     *           "as_of_ms": 1697235848932,
                     *           "certain": true,
                     *           "fee_in_basis_points": 8.63,
                     *           "firm": false,
                     *           "firm_budget_input": null,
                     *           "input_asset_address": "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
                     *           "input_asset_decimals": 6,
                     *           "input_asset_symbol": "USDC",
                     *           "knots": [
                     *             [
                     *               "100000",
                     *               "48017506340222"
                     *             ],
                     *             [
                     *               "28011377956",
                     *               "13412519635113840427"
                     *             ],
                     *             [
                     *               "115043072400",
                     *               "54627958189110427997"
                     *             ],
                     *             [
                     *               "268223459081",
                     *               "125642355552595579097"
                     *             ]
                     *           ],
                     *           "levels_id": "a81d42c6e05f4b7f93c2170b6de8f954",
                     *           "max_shortfall_bps": 31.36,
                     *           "maximum_input": "268223459081",
                     *           "minimum_input": "100000",
                     *           "output_asset_address": "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
                     *           "output_asset_decimals": 18,
                     *           "output_asset_symbol": "ETH",
                     *           "pool_address": "0x655eDCE464CC797526600a462A8154650EEe4B77",
                     *           "published_ms": 1697235848932,
                     *           "semantics": "cumulative_input_output_floor",
                     *           "seq": 1,
                     *           "state_id": "70d694998af847a90115a30a7266ae1a",
                     *           "time_in_seconds": 60,
                     *           "valid_until_ms": 1697235853932
                     *         }
                     *       ],
                     *       "chain_id": 1,
                     *       "withdrawn": []
                     *     }
                     */
                    "application/json": components["schemas"]["LevelsSnapshot"];
                };
            };
            /** @description The copy identified by `If-None-Match` is still current. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControlRevalidate"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    ETag: components["headers"]["EntityTag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description An input is missing, malformed or out of range, or inputs are mutually exclusive; `data` lists each. The chain is not supported. The asset is not supported; `field` names the input. No pool swaps this pair. The pool is not supported. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description Credentials are required. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The credentials are wrong, revoked, or of a scheme that is not accepted. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not exist. */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for wrong credentials. The client exceeded its request rate limit, or has too many level streams. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    level_stream_v2: {
        parameters: {
            query?: {
                /**
                 * @description 1 to 256 books, each an input and an output symbol joined by a hyphen, separated by commas; by default all pairs in both directions.
                 * @example ETH-USDC,USDC-ETH
                 */
                pairs?: string;
                /**
                 * @description Address of the pool contract. Mixed case must be a valid EIP-55 checksum.
                 * @example 0x655eDCE464CC797526600a462A8154650EEe4B77
                 */
                pool_address?: string;
                /**
                 * @description Maximum seconds between acceptance and the transaction on chain; the fee grows with them. Range (1 to 120 unless configured otherwise) and default depend on the pool.
                 * @example 60
                 */
                time_in_seconds?: number;
                /**
                 * @description Maximum number of knots in a book, 2 to 64; 16 by default.
                 * @example 4
                 */
                knots?: number;
                /**
                 * @description How levels are written: `cumulative` knots, the default, or `incremental` bands.
                 * @example cumulative
                 */
                format?: "cumulative" | "incremental";
                /**
                 * @description Whether an input that the operation does not have is an error; false by default: it is ignored.
                 * @example false
                 */
                strict?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The chain id (EIP-155).
                 * @example 1
                 */
                chain_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description An input is missing, malformed or out of range, or inputs are mutually exclusive; `data` lists each. The chain is not supported. The asset is not supported; `field` names the input. No pool swaps this pair. The pool is not supported. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description Credentials are required. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The credentials are wrong, revoked, or of a scheme that is not accepted. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not exist. */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for wrong credentials. The client exceeded its request rate limit, or has too many level streams. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The service is shutting down, and opens no more streams. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    events_v2: {
        parameters: {
            query?: {
                /**
                 * @description The `id` of the last event that was received.
                 * @example u3Vb1h2kQm0Yc9fTzX5rJ8sLwE7aGdNnPqRtUvWxYz0123456789-_abcdefghijklmnop
                 */
                last_event_id?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The chain id (EIP-155).
                 * @example 1
                 */
                chain_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description An input is missing, malformed or out of range, or inputs are mutually exclusive; `data` lists each. The chain is not supported. The asset is not supported; `field` names the input. No pool swaps this pair. The pool is not supported. */
            400: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description Credentials are required. */
            401: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The credentials are wrong, revoked, or of a scheme that is not accepted. */
            403: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not exist. */
            404: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for wrong credentials. The client exceeded its request rate limit, or has too many level streams. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The store is not available, or what it knew of the last minute or of outstanding swaps is lost. The service is shutting down, and opens no more streams. */
            503: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControlRevalidate"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    ETag: components["headers"]["EntityTag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The copy identified by `If-None-Match` is still current. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControlRevalidate"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    ETag: components["headers"]["EntityTag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for requests without credentials. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    head_openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControlRevalidate"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    ETag: components["headers"]["EntityTag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The copy identified by `If-None-Match` is still current. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControlRevalidate"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    ETag: components["headers"]["EntityTag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The client address exceeded its rate limit for requests without credentials. */
            429: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControl"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    asyncapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        asyncapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for requests without credentials. */
            429: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    head_asyncapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The client address exceeded its rate limit for requests without credentials. */
            429: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    contract_abi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ABI. */
            200: {
                headers: {
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": ({
                        type: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for requests without credentials. */
            429: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    head_contract_abi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ABI. */
            200: {
                headers: {
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The client address exceeded its rate limit for requests without credentials. */
            429: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    typed_data: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The types. */
            200: {
                headers: {
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        primaryType: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for requests without credentials. */
            429: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    head_typed_data: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The types. */
            200: {
                headers: {
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The client address exceeded its rate limit for requests without credentials. */
            429: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    docs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControlRevalidate"];
                    ETag: components["headers"]["EntityTag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html; charset=utf-8": string;
                };
            };
            /** @description The copy identified by `If-None-Match` is still current. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControlRevalidate"];
                    ETag: components["headers"]["EntityTag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for requests without credentials. */
            429: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    head_docs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControlRevalidate"];
                    ETag: components["headers"]["EntityTag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The copy identified by `If-None-Match` is still current. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControlRevalidate"];
                    ETag: components["headers"]["EntityTag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The client address exceeded its rate limit for requests without credentials. */
            429: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    docs_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the file.
                 * @example LICENSE
                 */
                file: "swagger-ui-bundle.js" | "swagger-ui.css" | "start.js" | "style.css" | "swagger-ui-bundle.js.LICENSE.txt" | "LICENSE" | "NOTICE";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControlRevalidate"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    ETag: components["headers"]["EntityTag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/css; charset=utf-8": string;
                    "text/javascript; charset=utf-8": string;
                    "text/plain; charset=utf-8": string;
                };
            };
            /** @description The copy identified by `If-None-Match` is still current. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControlRevalidate"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    ETag: components["headers"]["EntityTag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not exist. */
            404: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The client address exceeded its rate limit for requests without credentials. */
            429: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    head_docs_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The name of the file.
                 * @example LICENSE
                 */
                file: "swagger-ui-bundle.js" | "swagger-ui.css" | "start.js" | "style.css" | "swagger-ui-bundle.js.LICENSE.txt" | "LICENSE" | "NOTICE";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControlRevalidate"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    ETag: components["headers"]["EntityTag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The copy identified by `If-None-Match` is still current. */
            304: {
                headers: {
                    "Cache-Control": components["headers"]["CacheControlRevalidate"];
                    "Content-Encoding": components["headers"]["ContentEncoding"];
                    ETag: components["headers"]["EntityTag"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Vary: components["headers"]["Vary"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not exist. */
            404: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The client address exceeded its rate limit for requests without credentials. */
            429: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    error_index: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html; charset=utf-8": string;
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    head_error_index: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    error_page: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `type` of an item of `data`.
                 * @example missing
                 */
                type: "missing" | "int_parsing" | "decimal_parsing" | "string_type" | "bool_type" | "list_type" | "object_type" | "uuid_parsing" | "address_parsing" | "hex_bytes" | "out_of_range" | "mutually_exclusive" | "one_required" | "unknown_input" | "json_invalid";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html; charset=utf-8": string;
                };
            };
            /** @description The path does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorObject"];
                };
            };
        };
    };
    head_error_page: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The `type` of an item of `data`.
                 * @example missing
                 */
                type: "missing" | "int_parsing" | "decimal_parsing" | "string_type" | "bool_type" | "list_type" | "object_type" | "uuid_parsing" | "address_parsing" | "hex_bytes" | "out_of_range" | "mutually_exclusive" | "one_required" | "unknown_input" | "json_invalid";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not exist. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The path does not support the method; `Allow` lists those that it does. */
            405: {
                headers: {
                    Allow: components["headers"]["Allow"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A bug in the service; its operator can look it up by the `x-request-id`. */
            500: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
