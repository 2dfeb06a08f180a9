-- Sets whether a credential is revoked. Sets the opposite first, so that the script always writes.
-- KEYS: the set of revoked credentials, the operator's stream.
-- ARGV: the credential, 1 for revoked, the entry (empty: none), the maximum age of entries in milliseconds.
append_entry(KEYS[2], ARGV[3], ARGV[4])
local steps = ARGV[2] == '1' and {'SREM', 'SADD'} or {'SADD', 'SREM'}
redis.call(steps[1], KEYS[1], ARGV[1])
redis.call(steps[2], KEYS[1], ARGV[1])
return redis.status_reply('OK')
