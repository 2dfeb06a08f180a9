-- The generation and the clock of this server.

-- The generation changes whenever this server may have lost writes that it acknowledged: see `generation.rs`.
local known_generation
local function server_generation()
  if known_generation then
    return known_generation
  end
  local info = redis.call('INFO', 'replication')
  -- A plain find: patterns take twice as long here.
  local _, start = string.find(info, 'master_replid:', 1, true)
  local generation = start and string.sub(info, start + 1, start + 32) or ''
  if #generation == 32 then
    known_generation = generation
    return generation
  end
  return nil, redis.error_reply('IDENTITY INFO does not show the master_replid of the server')
end

-- The time of this server in milliseconds: the same throughout a script.
local known_ms
local function server_ms()
  if not known_ms then
    local time = redis.call('TIME')
    known_ms = time[1] * 1000 + math.floor(time[2] / 1000)
  end
  return known_ms
end

-- The same in whole seconds.
local function server_seconds()
  return math.floor(server_ms() / 1000)
end

-- The error for a clock of a replica that is this far ahead, in milliseconds; negative if it is behind.
local function clock_error(ahead_ms)
  return redis.error_reply(string.format('CLOCK %.0f', ahead_ms))
end

-- Returns an error if the clock of a replica is further ahead than it may be.
local function check_clock(clock_ms, max_lead_ms)
  local ahead_ms = tonumber(clock_ms) - server_ms()
  if ahead_ms > tonumber(max_lead_ms) then
    return clock_error(ahead_ms)
  end
end

-- Returns an error if it is further behind.
local function check_delay(clock_ms, max_delay_ms)
  local behind_ms = server_ms() - tonumber(clock_ms)
  if behind_ms > tonumber(max_delay_ms) then
    return clock_error(-behind_ms)
  end
end
