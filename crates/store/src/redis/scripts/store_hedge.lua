-- Appends a hedge to the operator's stream, unless one with its id was appended.
-- KEYS: the hedge of this id, the operator's stream.
-- ARGV: the hedge, how long it is retained in milliseconds, the entry, the maximum age of entries in milliseconds.
-- Returns `stored`, `known` if the same was appended before, or `conflict`.
local known = redis.call('GET', KEYS[1])
if known then
  if known == ARGV[1] then
    return 'known'
  end
  return 'conflict'
end
append_entry(KEYS[2], ARGV[3], ARGV[4])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 'stored'
