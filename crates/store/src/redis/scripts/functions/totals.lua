-- From when on the totals of a pool are complete.

-- Returns the generation of this server, an error if it hides it, the second from which the totals are complete (below zero:
-- nothing is known to be missing since that second), and whether anything is known of them. `key` is that of their
-- generation, `seen` the generation that this replica has last seen (empty: none).
-- Totals of another generation may have lost trades: nothing is counted until a window after the change. A missing
-- generation key means that nothing was counted for longer than a window, unless this replica has seen another
-- generation. The generation key has the second from which the totals are complete or, if nothing is known to be missing,
-- that in which it was first seen, below zero.
local function totals_since(key, window, seen)
  local generation, hidden = server_generation()
  if hidden then
    return nil, hidden
  end
  local counted = redis.call('GET', key)
  -- By the clock of this server: one replica's that is ahead must not make all others wait.
  local present, knows_more = server_seconds(), seen ~= '' and seen ~= generation
  local whole_from = -present
  if counted and string.sub(counted, 1, 32) == generation then
    whole_from = tonumber(string.sub(counted, 34))
    -- Another replica, which had counted nothing before, was the first to see this generation.
    if whole_from < 0 and knows_more and present + whole_from <= window then
      whole_from = window + 1 - whole_from
    end
  elseif counted or knows_more then
    whole_from = present + window + 1
  end
  return generation, nil, whole_from, counted ~= false or knows_more
end

-- Stores what `totals_since` returned. Expires after every total.
local function store_totals_since(key, window, generation, whole_from)
  redis.call('SET', key, string.format('%s %.0f', generation, whole_from), 'EX', string.format('%.0f', 2 * window + 2))
end
