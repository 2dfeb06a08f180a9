-- Appends an entry to the operator's stream, unless it is empty; entries older than `max_age_ms` are dropped.
local function append_entry(stream, entry, max_age_ms)
  if entry ~= '' then
    local oldest = string.format('%.0f', math.max(0, server_ms() - tonumber(max_age_ms)))
    redis.call('XADD', stream, 'MINID', '~', oldest, '*', 'entry', entry)
  end
end

