//! The server from a client's view: a real desk behind real sockets.

#[cfg(test)]
mod authentication;
#[cfg(test)]
mod connections;
#[cfg(test)]
mod cors;
#[cfg(test)]
mod docs;
#[cfg(test)]
mod errors;
#[cfg(test)]
mod examples;
#[cfg(test)]
mod firm_levels;
#[cfg(test)]
mod grid;
#[cfg(test)]
mod inputs;
#[cfg(test)]
mod level_clocks;
#[cfg(test)]
mod levels;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod logging;
#[cfg(test)]
mod mounted;
#[cfg(test)]
mod operations;
#[cfg(test)]
mod operator;
#[cfg(test)]
mod outages;
#[cfg(test)]
mod pinned;
#[cfg(test)]
mod policy;
#[cfg(test)]
mod pools;
#[cfg(test)]
mod prices;
#[cfg(test)]
mod quote_events;
#[cfg(test)]
mod quoting;
#[cfg(test)]
mod readiness;
#[cfg(test)]
mod replacement;
#[cfg(test)]
mod signing;
#[cfg(test)]
mod sockets;
#[cfg(test)]
mod status;
#[cfg(test)]
mod support;
#[cfg(test)]
mod tls;
