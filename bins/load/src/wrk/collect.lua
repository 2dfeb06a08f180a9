-- Requests quotes and writes their IDs to a file. Arguments: the API key, the file.
local written = 0

function init(arguments)
  wrk.headers["x-api-key"] = arguments[1]
  out = assert(io.open(arguments[2], "w"))
  prepared = wrk.format()
end

function request()
  return prepared
end

-- wrk has no hook for the end of a thread, so the file is flushed periodically.
function response(status, headers, body)
  out:write(string.match(body, '"id":"([^"]+)"'), "\n")
  written = written + 1
  if written % 1000 == 0 then out:flush() end
end
