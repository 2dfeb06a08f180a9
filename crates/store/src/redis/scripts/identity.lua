-- Returns the generation, for a replica to compare with what INFO tells it.
local generation, hidden = server_generation()
return hidden or generation
