-- Marks a record as present in the ledger.
-- KEYS: record.
if redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('SETRANGE', KEYS[1], 1, '\1')
end
return redis.status_reply('OK')
