/**
 * A client of Firmquote, a self-hosted server of firm swap quotes. Members of requests and responses are named as on the
 * wire, so the API's documentation applies as it is; amounts are `bigint` in base units, exact decimals are `Decimal`.
 */
export type { components, operations, paths } from './api/openapi.js'
export type {
  Chain,
  LevelBook,
  LevelsSnapshot,
  OffchainAsset,
  OffchainData,
  OffchainPool,
  OnchainAsset,
  OnchainData,
  OnchainPool,
  PairFee,
  Pool,
  PoolAsset,
  PoolData,
  Quote,
  QuotedSwap,
  QuoteGrid,
  QuoteGridRow,
  QuoteStatus,
  Settlement,
  Signature,
  SignedSwap,
  SigningDomain,
  Swap,
  Swaps,
  TradedAsset,
  TradedPool,
  WithdrawnLevels,
} from './api/responses.js'
export { FirmquoteClient, type TaggedLevels } from './client/client.js'
export type { Clock } from './client/clock.js'
export type { RateLimit, ResponseMeta } from './client/meta.js'
export type {
  CallOptions,
  CurveRequest,
  Fieldset,
  FixedAmount,
  LevelsRequest,
  PoolsRequest,
  QuoteRequest,
  SignRequest,
  SwapsRequest,
  SwapTerms,
} from './client/requests.js'
export type { DocumentName } from './client/route.js'
export type { BasicCredential, ClientSettings, RetryPolicy } from './client/settings.js'
export {
  FirmquoteError,
  InterruptedError,
  InvalidResponseError,
  InvalidSettingsError,
  NeedsApiKeyError,
  NoResponseError,
  QuoteNotSignedError,
  TimedOutError,
  UnreachableError,
} from './errors/errors.js'
export type { Reaction } from './errors/reaction.js'
export type { Reason } from './errors/reasons.js'
export {
  BadDataError,
  ConflictError,
  ForbiddenError,
  type InvalidField,
  LevelsRefusedError,
  MethodNotAllowedError,
  NotFoundError,
  OutstandingLimitError,
  QuoteProblemError,
  RateLimitedError,
  type RefusalDetails,
  RefusedError,
  ServiceFailureError,
  ServiceUnavailableError,
  UnauthorizedError,
} from './errors/refusal.js'
export type { QuoteEvent } from './events/messages.js'
export type { EventStreamOptions, EventsChange, QuoteEventStream } from './events/stream.js'
export { Decimal } from './json/decimal.js'
export { type Knot, outputFor } from './levels/book.js'
export type { LevelStream, LevelStreamOptions, LevelsChange } from './levels/stream.js'
export { isFinal } from './responses/status.js'
export { type SwapTransaction, transactionOf } from './responses/transaction.js'
export { type Address, type Execution, type Hex, type UtcTime, unixMilliseconds } from './responses/values.js'
export type { Disconnected } from './stream/reconnecting.js'
export type { WebSocketLike } from './stream/sources.js'
export { API_VERSION, CLIENT_VERSION, type Compatibility, compareVersions } from './version.js'
