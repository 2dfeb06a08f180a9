-- Marks a record as one that the ledger has.
-- KEYS: record.
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('SETRANGE', KEYS[1], 1, '\1')
end
return redis.status_reply('OK')
