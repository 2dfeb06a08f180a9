-- Prepended to every script that binds or records. The generation of this server: another after each restart, and after
-- each change of the server that it has its data from. What one generation promised, the next may have lost.
local function server_generation()
  -- Without patterns, which take twice as long here.
  local function digits(section, name)
    local info = redis.call('INFO', section)
    local start = string.find(info, name, 1, true)
    return start and string.sub(info, start + #name, start + #name + 15) or ''
  end
  local generation = digits('server', 'run_id:') .. digits('replication', 'master_replid:')
  if #generation == 32 then
    return generation
  end
  return nil, redis.error_reply('IDENTITY the server hides its run_id or master_replid, which INFO has to show')
end

-- How far a clock is ahead of that of this server, in milliseconds, and the time of this server.
local function milliseconds_ahead(clock_ms)
  local time = redis.call('TIME')
  local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
  return tonumber(clock_ms) - now_ms, now_ms
end

local function clock_error(ahead_ms)
  return redis.error_reply(string.format('CLOCK the clock of this replica is %.0f ms ahead of that of Redis', ahead_ms))
end
