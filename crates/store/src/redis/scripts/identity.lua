-- Returns the generation, for a replica to compare with the generation it read from INFO.
local generation, hidden = server_generation()
return hidden or generation
