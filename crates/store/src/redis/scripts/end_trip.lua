-- Ends a trip, if it is the one in effect. Returns 1 if it was.
-- KEYS: the trips, the operator's stream. ARGV: the field of the trip, the trip, the entry, the maximum age of entries in
-- milliseconds.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return 0
end
append_entry(KEYS[2], ARGV[3], ARGV[4])
redis.call('HDEL', KEYS[1], ARGV[1])
return 1
