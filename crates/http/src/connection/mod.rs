//! Connections: TLS if it is spoken here, HTTP on top, and an end for those whose client keeps them waiting.
//!
//! What a client owes is known exactly, because the stream sees its bytes and [`answer`] its requests: nothing
//! while a request is answered, the rest of a request that it began, the reading of an answer, or nothing since it is
//! idle. A [`turn::Turn`] keeps that, [`watch::watched`] ends the connection when it is over. An end is a plain close:
//! no answer is written that a client could take for that of another request.

mod accept;
pub(crate) mod admission;
mod intake;
mod pieces;
mod stream;
mod transport;
mod turn;
mod watch;

use std::{convert::Infallible, rc::Rc, sync::Arc};

use actix_http::{HttpService, KeepAlive, Payload, Request, Response, body::BoxBody};
use actix_service::{ServiceFactory, fn_factory, fn_service};
use actix_web::{
    dev::Extensions,
    http::header::{CONTENT_LENGTH, TRANSFER_ENCODING},
    rt::net::TcpStream,
};
use tokio_rustls::TlsAcceptor;

use self::{
    accept::Accept,
    admission::Admission,
    pieces::in_pieces,
    stream::Stream,
    turn::{Body, Turn},
};
use crate::{pass::pass, settings::ConnectionSettings, site::Site};

/// What every connection of a listener has in common.
#[derive(Clone)]
pub(crate) struct Terms {
    /// How long clients may take.
    pub(crate) settings: ConnectionSettings,
    /// Speaks TLS, if it is spoken here.
    pub(crate) tls: Option<TlsAcceptor>,
    /// Which connections are taken; all of them where it is absent.
    pub(crate) admission: Option<Arc<Admission>>,
}

/// How much of an answer a connection holds beside the piece that is being written, in bytes.
const WRITE_BUFFER: usize = 7 * 1_024;

/// What makes of every accepted socket a connection on which `site` answers, until `stopping` resolves and it is done.
pub(crate) fn serve<Stopping>(
    site: Rc<Site>,
    terms: Terms,
    stopping: impl Fn() -> Stopping + 'static,
) -> impl ServiceFactory<TcpStream, Config = (), InitError = ()>
where
    Stopping: Future<Output = ()> + 'static,
{
    let live = Arc::clone(&site.live);
    let answer = move |request: Request| answer(Rc::clone(&site), request);
    let http = HttpService::<Stream, _, _>::build()
        .graceful_shutdown_signal(stopping)
        // Kept alive, without timers of its own: those of the turn are stricter and do not answer.
        .h1_write_buffer_size(WRITE_BUFFER)
        .keep_alive(KeepAlive::Os)
        .client_request_timeout(std::time::Duration::ZERO)
        .on_connect_ext(|stream: &Stream, data: &mut Extensions| {
            data.insert(stream.turn());
        })
        .finish(fn_service(answer));
    let http = Rc::new(http);
    fn_factory(move || {
        let (http, terms, live) = (Rc::clone(&http), terms.clone(), Arc::clone(&live));
        async move { Ok(Accept::new(http.new_service(()).await?, terms, live)) }
    })
}

/// What is to come after the head of a request.
fn body_of(request: &mut Request) -> Body {
    if matches!(request.payload(), Payload::None) {
        return Body::of_length(0);
    }
    let headers = &request.head().headers;
    let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    match length {
        Some(length) if !headers.contains_key(TRANSFER_ENCODING) => Body::of_length(length),
        _ => Body::open(),
    }
}

/// Has `site` answer; meanwhile the connection waits for nobody but us.
async fn answer(site: Rc<Site>, mut request: Request) -> Result<Response<BoxBody>, Infallible> {
    let body = body_of(&mut request);
    let work = request.conn_data::<Rc<Turn>>().map(|turn| turn.work(body));
    let answer = pass(site, request).await;
    drop(work);
    Ok(in_pieces(answer.into()))
}
