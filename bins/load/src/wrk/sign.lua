-- Requests the signatures of the quotes in a file, in order. Arguments: the API key, the file with one ID per line.
local ids, position = {}, 0

-- Used when the file is exhausted: the service responds with an error, which fails the run.
local exhausted = "00000000-0000-4000-8000-000000000000"

function init(arguments)
  wrk.method = "POST"
  wrk.headers["x-api-key"] = arguments[1]
  wrk.headers["content-type"] = "application/json"
  for id in io.lines(arguments[2]) do
    if #id == #exhausted then ids[#ids + 1] = id end
  end
end

function request()
  position = position + 1
  return wrk.format(nil, nil, nil, '{"quote_id":"' .. (ids[position] or exhausted)
    .. '","destination_address":"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed","calldata":true}')
end
