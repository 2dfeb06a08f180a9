-- Answers as `enter_book` would, without entering the swap: 'there' if there is room for it.
-- KEYS and ARGV: those of `enter_book`.
use_book(1, ARGV[#ARGV])
return enter(1, function() return {'there'} end)
