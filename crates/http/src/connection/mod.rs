//! Connections: TLS if it is spoken here, HTTP on top, and an end for those whose client keeps them waiting.
//!
//! What a client owes is known exactly, because the stream sees its bytes and [`answer`] its requests: nothing
//! while a request is answered, the rest of a request that it began, the reading of an answer, or nothing since it is
//! idle. A [`turn::Turn`] keeps that, [`watch::watched`] ends the connection when it is over. An end is a plain close:
//! no answer is written that a client could take for that of another request.

mod accept;
mod stream;
mod transport;
mod turn;
mod watch;

use std::{convert::Infallible, rc::Rc};

use actix_http::{HttpService, KeepAlive, Request, Response, body::BoxBody};
use actix_service::{ServiceFactory, fn_factory, fn_service};
use actix_web::{dev::Extensions, rt::net::TcpStream};
use tokio_rustls::TlsAcceptor;

use self::{accept::Accept, stream::Stream, turn::Turn};
use crate::{pass::pass, settings::ConnectionSettings, site::Site};

/// What every connection of a listener has in common.
#[derive(Clone)]
pub(crate) struct Terms {
    /// How long clients may take.
    pub(crate) settings: ConnectionSettings,
    /// Speaks TLS, if it is spoken here.
    pub(crate) tls: Option<TlsAcceptor>,
}

/// What makes of every accepted socket a connection on which `site` answers, until `stopping` resolves and it is done.
pub(crate) fn serve<Stopping>(
    site: Rc<Site>,
    terms: Terms,
    stopping: impl Fn() -> Stopping + 'static,
) -> impl ServiceFactory<TcpStream, Config = (), InitError = ()>
where
    Stopping: Future<Output = ()> + 'static,
{
    let answer = move |request: Request| answer(Rc::clone(&site), request);
    let http = HttpService::<Stream, _, _>::build()
        .graceful_shutdown_signal(stopping)
        // Kept alive, without timers of its own: those of the turn are stricter and do not answer.
        .keep_alive(KeepAlive::Os)
        .client_request_timeout(std::time::Duration::ZERO)
        .on_connect_ext(|stream: &Stream, data: &mut Extensions| {
            data.insert(stream.turn());
        })
        .finish(fn_service(answer));
    let http = Rc::new(http);
    fn_factory(move || {
        let (http, terms) = (Rc::clone(&http), terms.clone());
        async move { Ok(Accept::new(http.new_service(()).await?, terms)) }
    })
}

/// Has `site` answer; meanwhile the connection waits for nobody but us.
async fn answer(site: Rc<Site>, request: Request) -> Result<Response<BoxBody>, Infallible> {
    let work = request.conn_data::<Rc<Turn>>().map(Turn::work);
    let answer = pass(site, request).await;
    drop(work);
    Ok(answer.into())
}
