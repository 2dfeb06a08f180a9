
-- Prints the line that the harness parses.
function done(summary, latency, requests)
  local e = summary.errors
  io.write(string.format("\nfigures %d %d %d %d %d %d\n", summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), latency:percentile(99.9), e.status + e.connect + e.read + e.write + e.timeout))
end
