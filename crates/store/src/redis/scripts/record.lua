-- Records a signature once: an existing record stays, whatever terms it is for.
-- KEYS: quote, claim, record and, where it is on the same node, the ledger.
-- ARGV: terms, record, its expiry in Unix milliseconds, 1 to rewrite an existing record, the line for the ledger and
-- the maximum age of ledger entries in milliseconds, 1 for a quote that was never stored because it was quoted and
-- signed in one step, the replica's clock and its maximum lead over this server's, in milliseconds.
-- Returns a status and, if one existed before, the record.
local found = redis.call('MGET', KEYS[2], KEYS[3])
local claim, record = found[1], found[2]
if record then
  if ARGV[4] == '1' then
    -- A write that changes nothing: replicas that acknowledge it have the record, too.
    redis.call('SET', KEYS[3], record, 'KEEPTTL')
  end
  return {'recorded', record}
end
if ARGV[7] ~= '1' then
  -- Only under a claim made in this generation of the server. Another generation may have granted a claim for other
  -- terms and lost it.
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
elseif claim and string.sub(claim, 33) ~= ARGV[1] then
  return {'terms'}
end
local ahead_ms, now_ms = milliseconds_ahead(ARGV[8])
if ahead_ms > tonumber(ARGV[9]) then
  return clock_error(ahead_ms)
end
if tonumber(ARGV[3]) <= now_ms then
  return redis.error_reply("CLOCK the record would expire immediately: the clock of this server is ahead")
end
if KEYS[4] then
  -- First, because it is the only write that can be refused.
  local oldest = string.format('%.0f', math.max(0, now_ms - tonumber(ARGV[6])))
  redis.call('XADD', KEYS[4], 'MINID', '~', oldest, '*', 'entry', ARGV[5])
end
redis.call('SET', KEYS[3], ARGV[2], 'PXAT', ARGV[3])
redis.call('DEL', KEYS[1], KEYS[2])
return {'written'}
