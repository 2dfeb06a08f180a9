-- Puts a trip of a breaker into effect, unless one that goes as far is. Returns 1 if it did.
-- KEYS: the set of paused pools, the trips, the operator's stream.
-- ARGV: the pool, the field of the trip, the trip, its step, 1 if it pauses the pool, the entry (empty: none), the maximum
-- age of entries in milliseconds.
local current = redis.call('HGET', KEYS[2], ARGV[2])
local is_new = 1
if current then
  local step = cjson.decode(current)['step']
  if step == ARGV[4] or step == 'pause' then
    is_new = 0
  end
end
if is_new == 1 then
  append_entry(KEYS[3], ARGV[6], ARGV[7])
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
end
if ARGV[5] == '1' then
  redis.call('SREM', KEYS[1], ARGV[1])
  redis.call('SADD', KEYS[1], ARGV[1])
end
return is_new
