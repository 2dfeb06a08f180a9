-- Takes a lease, or keeps it. Returns the fields of a hash, or nothing while another holder has the lease.
-- KEYS: the lease, the hash. ARGV: the holder, the duration in milliseconds.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
  return false
end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return redis.call('HGETALL', KEYS[2])
