-- Records a signature, once: what is on record stays and is what is returned.
-- KEYS: quote, claim, record and, where it is on the same node, the ledger.
-- ARGV: terms, record, its last instant in Unix milliseconds, 1 to write even what stays, the line for the ledger and
-- the oldest instant to keep in it. Returns nothing where the quote is bound to other terms.
local record = redis.call('GET', KEYS[3])
if record then
  if ARGV[4] == '1' then
    -- A write that changes nothing: replicas that have it have the record too.
    redis.call('SET', KEYS[3], record, 'KEEPTTL')
  end
  return record
end
local claim = redis.call('GET', KEYS[2])
if claim and claim ~= ARGV[1] then
  return false
end
local now = redis.call('TIME')
if tonumber(ARGV[3]) <= now[1] * 1000 + now[2] / 1000 then
  return redis.error_reply("CLOCK the record would be gone at once: the clock of this server is ahead")
end
if KEYS[4] then
  -- First, because it is the one write that can be refused.
  redis.call('XADD', KEYS[4], 'MINID', '~', ARGV[6], '*', 'entry', ARGV[5])
end
redis.call('SET', KEYS[3], ARGV[2], 'PXAT', ARGV[3])
redis.call('DEL', KEYS[1], KEYS[2])
return ARGV[2]
