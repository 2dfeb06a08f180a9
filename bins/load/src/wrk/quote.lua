-- Sends the same request repeatedly. Arguments: the API key.
function init(arguments)
  wrk.headers["x-api-key"] = arguments[1]
  prepared = wrk.format()
end

function request()
  return prepared
end
