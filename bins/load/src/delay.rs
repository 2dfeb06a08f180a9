//! A TCP proxy that adds a delay, to simulate a replica that is farther from Redis.

use std::{
    io::{self, Read as _, Write as _},
    net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::{Duration, Instant},
};

/// Starts a proxy to the local `port` that adds `delay` to every round trip. It ends with the process.
///
/// # Errors
/// When no port is free.
pub(crate) fn start(port: u16, delay: Duration) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = listener.local_addr()?;
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let Ok(server) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)) else { continue };
            // A connection that breaks is opened again by the service.
            drop(join(&client, &server, delay));
        }
    });
    Ok(address)
}

fn join(client: &TcpStream, server: &TcpStream, delay: Duration) -> io::Result<()> {
    for stream in [client, server] {
        stream.set_nodelay(true)?;
    }
    let (send, receive) = channel();
    let (from, to) = (client.try_clone()?, server.try_clone()?);
    thread::spawn(move || read(from, &send, delay));
    thread::spawn(move || write(to, &receive));
    let (mut from, mut to) = (server.try_clone()?, client.try_clone()?);
    thread::spawn(move || {
        drop(io::copy(&mut from, &mut to));
        drop(to.shutdown(Shutdown::Both));
    });
    Ok(())
}

/// Reads until the end of the stream, and schedules each chunk to be written after the delay.
fn read(mut from: TcpStream, send: &Sender<(Instant, Vec<u8>)>, delay: Duration) {
    let mut buffer = [0; 65_536];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let part = buffer.get(..length).unwrap_or_default().to_vec();
        if send.send((Instant::now() + delay, part)).is_err() {
            return;
        }
    }
}

fn write(mut to: TcpStream, receive: &Receiver<(Instant, Vec<u8>)>) {
    while let Ok((due, part)) = receive.recv() {
        thread::sleep(due.saturating_duration_since(Instant::now()));
        if to.write_all(&part).is_err() {
            break;
        }
    }
    drop(to.shutdown(Shutdown::Both));
}
