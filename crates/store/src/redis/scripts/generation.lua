-- Prepended to every script that depends on the generation of this server. The generation changes with each restart,
-- and with each change of the replication source. Writes that one generation acknowledged may be missing in the next.
local known_generation
local function server_generation()
  if known_generation then
    return known_generation
  end
  -- A plain find: patterns take twice as long here.
  local function digits(section, name)
    local info = redis.call('INFO', section)
    local start = string.find(info, name, 1, true)
    return start and string.sub(info, start + #name, start + #name + 15) or ''
  end
  local generation = digits('server', 'run_id:') .. digits('replication', 'master_replid:')
  if #generation == 32 then
    known_generation = generation
    return generation
  end
  return nil, redis.error_reply('IDENTITY INFO does not show the run_id or master_replid of the server')
end

-- Returns how far a clock is ahead of the clock of this server, and the time of this server, both in milliseconds.
local function milliseconds_ahead(clock_ms)
  local time = redis.call('TIME')
  local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
  return tonumber(clock_ms) - now_ms, now_ms
end

local function clock_error(ahead_ms)
  return redis.error_reply(string.format('CLOCK the clock of this replica is %.0f ms ahead of that of Redis', ahead_ms))
end
