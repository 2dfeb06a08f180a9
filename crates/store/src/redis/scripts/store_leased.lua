-- Sets a field of a hash, if the lease has this holder. Returns 1 if it has.
-- KEYS: the lease, the hash. ARGV: the holder, the field, its value.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
return 1
