-- Records a signature, once: what is on record stays, whatever it was signed for.
-- KEYS: quote, claim, record and, where it is on the same node, the ledger.
-- ARGV: terms, record, its last instant in Unix milliseconds, 1 to write even what stays, the line for the ledger and the
-- age in milliseconds up to which lines are kept, 1 for a quote that was never stored because it was signed at once, the
-- replica's clock and how far it may be ahead, in milliseconds.
-- Returns a word and, for what was there before, the record.
local found = redis.call('MGET', KEYS[2], KEYS[3])
local claim, record = found[1], found[2]
if record then
  if ARGV[4] == '1' then
    -- A write that changes nothing: replicas that have it have the record too.
    redis.call('SET', KEYS[3], record, 'KEEPTTL')
  end
  return {'recorded', record}
end
if ARGV[7] ~= '1' then
  -- Only under the claim that this very server took. Another may have taken one for other terms, and lost it.
  local generation, hidden = server_generation()
  if hidden then
    return hidden
  end
  if not claim or string.sub(claim, 1, 32) ~= generation then
    return {'unknown'}
  end
  if string.sub(claim, 33) ~= ARGV[1] then
    return {'terms'}
  end
elseif claim then
  return {'terms'}
end
local ahead_ms, now_ms = milliseconds_ahead(ARGV[8])
if ahead_ms > tonumber(ARGV[9]) then
  return clock_error(ahead_ms)
end
if tonumber(ARGV[3]) <= now_ms then
  return redis.error_reply("CLOCK the record would be gone at once: the clock of this server is ahead")
end
if KEYS[4] then
  -- First, because it is the one write that can be refused.
  local oldest = string.format('%.0f', math.max(0, now_ms - tonumber(ARGV[6])))
  redis.call('XADD', KEYS[4], 'MINID', '~', oldest, '*', 'entry', ARGV[5])
end
redis.call('SET', KEYS[3], ARGV[2], 'PXAT', ARGV[3])
redis.call('DEL', KEYS[1], KEYS[2])
return {'written'}
