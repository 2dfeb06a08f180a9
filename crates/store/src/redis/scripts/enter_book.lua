-- Enters a swap into a book.
-- KEYS: those of a book. ARGV: those of `enter`, then the channel of the book.
use_book(1, ARGV[#ARGV])
return enter(1, function() end)
