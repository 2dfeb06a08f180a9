-- Records a signature once: an existing record stays, whatever terms it is for.
-- KEYS: quote, claim, record and, where it is on the same node, the ledger; `found` are the first three.
-- ARGV from `at` on: terms, record, its expiry in Unix milliseconds, the line for the ledger, `RECORDING`.
-- Returns a status and, if one existed before, the record.

-- The replica's clock and its maximum lead over this server's, in milliseconds.
local CLOCK = '>I8I8'
-- These, the maximum age of ledger entries in milliseconds, 1 to rewrite an existing record, 1 for a signature that needs no
-- claim.
local RECORDING = CLOCK .. 'I8BB'

-- Returns what `record` returns unless it writes, and nothing if it would: all that can fail.
local function check_record(found, at)
  local terms, _, expires_ms, line, recording = unpack(ARGV, at, at + 4)
  local clock_ms, max_lead_ms, _, rewrites, needs_no_claim = struct.unpack(RECORDING, recording)
  local claim, recorded = found[2], found[3]
  if recorded then
    if rewrites == 1 then
      -- A write that changes nothing: replicas that acknowledge it have the record, too.
      redis.call('SET', KEYS[3], recorded, 'KEEPTTL')
    end
    return {'recorded', recorded}
  end
  if needs_no_claim ~= 1 then
    -- Only under a claim made in this generation of the server. Another generation may have granted a claim for other
    -- terms and lost it.
    local generation, hidden = server_generation()
    if hidden then
      return hidden
    end
    if not claim or string.sub(claim, 1, 32) ~= generation then
      return {'unknown'}
    end
  end
  if claim and string.sub(claim, 33) ~= terms then
    return {'terms'}
  end
  local refused = check_clock(clock_ms, max_lead_ms)
  if refused then
    return refused
  end
  if tonumber(expires_ms) <= server_ms() then
    return redis.error_reply("CLOCK the record would expire immediately: the clock of this server is ahead")
  end
  if line ~= '' then
    -- Reads nothing, and fails if the key is not a stream.
    redis.call('XRANGE', KEYS[4], '+', '+')
  end
end

-- Writes what `check_record` does not refuse.
local function write_record(at)
  local _, value, expires_ms, line, recording = unpack(ARGV, at, at + 4)
  local _, _, max_age_ms = struct.unpack(RECORDING, recording)
  if line ~= '' then
    local oldest = string.format('%.0f', math.max(0, server_ms() - max_age_ms))
    redis.call('XADD', KEYS[4], 'MINID', '~', oldest, '*', 'entry', line)
  end
  redis.call('SET', KEYS[3], value, 'PXAT', expires_ms)
  redis.call('DEL', KEYS[1], KEYS[2])
  return {'written'}
end

local function record(found, at)
  return check_record(found, at) or write_record(at)
end
