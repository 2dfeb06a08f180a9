-- Asks for the same quote again and again. Arguments: the API key.
function init(arguments)
  wrk.headers["x-api-key"] = arguments[1]
  prepared = wrk.format()
end

function request()
  return prepared
end
