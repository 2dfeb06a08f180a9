-- Records a signature. KEYS[3] is its record, KEYS[4] the ledger.

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
end

-- Writes a record and its line in the ledger, and removes quote and claim.
local function write_record(record, expires_ms, line, max_age_ms)
  local oldest = string.format('%.0f', math.max(0, server_ms() - max_age_ms))
  redis.call('XADD', KEYS[4], 'MINID', '~', oldest, '*', 'entry', line)
  redis.call('SET', KEYS[3], record, 'PXAT', expires_ms)
  redis.call('DEL', KEYS[1], KEYS[2])
end
