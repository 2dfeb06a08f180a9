-- Reads a quote to be signed, or its record; binds nothing.
-- KEYS: quote, claim, record. ARGV: those of `signable` after the first, then 1 to rewrite a record.
-- Returns a status and, if there is one, the stored value.
local found = redis.call('MGET', KEYS[1], KEYS[2], KEYS[3])
if found[3] then
  if ARGV[5] == '1' then
    rewrite_record(found[3])
  end
  return {'recorded', found[3]}
end
return signable(found, unpack(ARGV)) or {'unsigned', found[1]}
