-- Records a signature. KEYS[3] is its record, KEYS[4] the ledger, KEYS[6] the swaps of its client.

-- Changes nothing: replicas that acknowledge this write have the record, too.
local function rewrite_record(record)
  redis.call('SET', KEYS[3], record, 'KEEPTTL')
end

-- Returns an error if `write_record` would fail. A record that would expire immediately shows that the clock of this
-- server is ahead of the replica's.
local function check_record(expires_ms, clock_ms)
  if tonumber(expires_ms) <= server_ms() then
    return clock_error(tonumber(clock_ms) - server_ms())
  end
  -- Reads nothing, and fails if the key is not a stream.
  redis.call('XRANGE', KEYS[4], '+', '+')
  -- Fails if the key is not a sorted set.
  redis.call('ZRANGE', KEYS[6], 0, 0)
end

-- Adds a quote to the swaps of its client, and drops some of those that are forgotten. `listing` has the id, the
-- microsecond of the signature, that up to which swaps are forgotten, and the millisecond in which all of them will be.
local function list_swap(listing)
  local id, signed_us, forgotten_us, expires_ms = struct.unpack('>c16I8I8I8', listing)
  local forgotten = redis.call('ZRANGEBYSCORE', KEYS[6], '0', string.format('%.0f', forgotten_us), 'LIMIT', '0', '16')
  if #forgotten > 0 then
    redis.call('ZREM', KEYS[6], unpack(forgotten))
  end
  redis.call('ZADD', KEYS[6], string.format('%.0f', signed_us), id)
  redis.call('PEXPIREAT', KEYS[6], string.format('%.0f', expires_ms))
end

-- Writes a record and its line in the ledger, and removes quote and claim. A swap without a `listing` (empty) is in no list.
local function write_record(record, expires_ms, line, max_age_ms, listing)
  local oldest = string.format('%.0f', math.max(0, server_ms() - max_age_ms))
  redis.call('XADD', KEYS[4], 'MINID', '~', oldest, '*', 'entry', line)
  redis.call('SET', KEYS[3], record, 'PXAT', expires_ms)
  redis.call('DEL', KEYS[1], KEYS[2])
  if listing ~= '' then
    list_swap(listing)
  end
end
