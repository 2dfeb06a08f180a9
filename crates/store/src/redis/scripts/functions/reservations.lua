-- What is reserved in a budget: a hash of amounts by quote id, with their sum in 'total', and a sorted set of the quote ids
-- by the Unix millisecond from which on they no longer count.
local reserved = {}

local function use_reservations(key)
  reserved.inputs, reserved.expiry = KEYS[key], KEYS[key + 1]
end

local function total()
  return redis.call('HGET', reserved.inputs, 'total') or ZERO
end

local function release(id)
  local input = redis.call('HGET', reserved.inputs, id)
  if input then
    redis.call('HSET', reserved.inputs, 'total', combined(total(), input, -1))
    redis.call('HDEL', reserved.inputs, id)
    redis.call('ZREM', reserved.expiry, id)
  end
end

-- Milliseconds by which the clock of a replica may be ahead of that of this server.
local MAX_LEAD_MS = 5000

-- Releases what no longer counts. Returns the time.
local function release_expired(now_ms)
  now_ms = math.min(tonumber(now_ms), server_ms() + MAX_LEAD_MS)
  for _, id in ipairs(redis.call('ZRANGEBYSCORE', reserved.expiry, '-inf', now_ms, 'LIMIT', 0, 256)) do
    release(id)
  end
  return now_ms
end

-- Both keys outlive what counts for longest.
local function keep(until_ms)
  local last = redis.call('ZRANGE', reserved.expiry, -1, -1, 'WITHSCORES')
  local last_ms = math.max(tonumber(until_ms), tonumber(last[2] or '0'))
  for _, key in ipairs({reserved.inputs, reserved.expiry}) do
    redis.call('PEXPIREAT', key, string.format('%.0f', last_ms + 2 * MAX_LEAD_MS))
  end
end

local function is_reserved(id)
  return redis.call('HEXISTS', reserved.inputs, id) == 1
end

-- Changes until when what is reserved for a quote counts.
local function extend_reservation(id, until_ms)
  redis.call('ZADD', reserved.expiry, until_ms, id)
  keep(until_ms)
end
