//! Raw connections to a server.

use tokio::{
    io::{AsyncRead, AsyncReadExt as _},
    net::TcpStream,
    time::timeout,
};

use super::{PATIENCE, Rig};

/// The body of a quote request.
pub(crate) const QUOTE_BODY: &str =
    r#"{"chain_id":1,"input_asset_symbol":"ETH","output_asset_symbol":"USDC","input_amount":1000000000000000000}"#;

/// Connects to version 1.
pub(crate) async fn connect(rig: &Rig) -> TcpStream {
    TcpStream::connect(rig.base.trim_start_matches("http://")).await.unwrap()
}

/// Reads the output of the server until it ends the connection.
pub(crate) async fn read_to_end(stream: &mut (impl AsyncRead + Unpin)) -> String {
    let mut output = Vec::new();
    // A server that closes with unread input resets the connection.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut output)).await.expect("the connection ends");
    String::from_utf8_lossy(&output).into_owned()
}
