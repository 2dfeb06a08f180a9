-- Appends an entry to the operator's stream.
-- KEYS: the stream. ARGV: the entry, the maximum age of entries in milliseconds.
append_entry(KEYS[1], ARGV[1], ARGV[2])
return redis.status_reply('OK')
