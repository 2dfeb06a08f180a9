-- Records a signature, once: what is on record stays, whatever it was signed for.
-- KEYS: quote, claim, record and, where it is on the same node, the ledger.
-- ARGV: terms, record, its last instant in Unix milliseconds, 1 to write even what stays, the line for the ledger and
-- the age in milliseconds up to which lines are kept. Returns the record that was there, an empty one where this one was
-- written, and nothing where the quote is bound to other terms.
local found = redis.call('MGET', KEYS[2], KEYS[3])
local claim, record = found[1], found[2]
if record then
  if ARGV[4] == '1' then
    -- A write that changes nothing: replicas that have it have the record too.
    redis.call('SET', KEYS[3], record, 'KEEPTTL')
  end
  return record
end
if claim and claim ~= ARGV[1] then
  return false
end
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
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
return ''
