//! Connections: TLS if it is spoken here, HTTP on top, and an end for those whose client keeps them waiting.
//!
//! What a client owes is known exactly, because the stream sees its bytes and the application its requests: nothing
//! while a request is answered, the rest of a request that it began, the reading of an answer, or nothing since it is
//! idle. A [`turn::Turn`] keeps that, [`watch::watched`] ends the connection when it is over. An end is a plain close:
//! no answer is written that a client could take for that of another request.

mod accept;
mod stream;
mod transport;
mod turn;
mod watch;

use std::rc::Rc;

use actix_http::{HttpService, KeepAlive, Request, body::MessageBody};
use actix_service::{IntoServiceFactory, ServiceFactory, fn_factory, map_config};
use actix_web::{
    Error,
    dev::{AppConfig, Extensions, Service as Endpoint, ServiceRequest, ServiceResponse},
    rt::net::TcpStream,
};
use tokio_rustls::TlsAcceptor;

use self::{accept::Accept, stream::Stream, turn::Turn};
use crate::settings::ConnectionSettings;

/// What every connection of a listener has in common.
#[derive(Clone)]
pub(crate) struct Terms {
    /// How long clients may take.
    pub(crate) settings: ConnectionSettings,
    /// Speaks TLS, if it is spoken here.
    pub(crate) tls: Option<TlsAcceptor>,
}

/// What makes of every accepted socket a connection that is served by `app`, until `stopping` resolves and it is done.
pub(crate) fn serve<A, B, Stopping>(
    app: impl IntoServiceFactory<A, Request>,
    terms: Terms,
    stopping: impl Fn() -> Stopping + 'static,
) -> impl ServiceFactory<TcpStream, Config = (), InitError = ()>
where
    A: ServiceFactory<Request, Config = AppConfig, Response = ServiceResponse<B>, Error = Error, InitError = ()>
        + 'static,
    B: MessageBody + 'static,
    Stopping: Future<Output = ()> + 'static,
{
    let http = HttpService::<Stream, _, _>::build()
        .graceful_shutdown_signal(stopping)
        // Kept alive, without timers of its own: those of the turn are stricter and do not answer.
        .keep_alive(KeepAlive::Os)
        .client_request_timeout(std::time::Duration::ZERO)
        .on_connect_ext(|stream: &Stream, data: &mut Extensions| {
            data.insert(stream.turn());
        })
        .finish(map_config(app, |()| AppConfig::default()));
    let http = Rc::new(http);
    fn_factory(move || {
        let (http, terms) = (Rc::clone(&http), terms.clone());
        async move { Ok(Accept::new(http.new_service(()).await?, terms)) }
    })
}

/// Passes a request on; while it is answered its connection waits for nobody but us.
pub(crate) fn answer<S, B>(
    request: ServiceRequest,
    inner: &S,
) -> impl Future<Output = Result<ServiceResponse<B>, Error>> + use<S, B>
where
    S: Endpoint<ServiceRequest, Response = ServiceResponse<B>, Error = Error>,
{
    let work = request.conn_data::<Rc<Turn>>().map(Turn::work);
    let answer = inner.call(request);
    async move {
        let answer = answer.await;
        drop(work);
        answer
    }
}

#[cfg(test)]
mod tests {
    use std::{future::pending, net::TcpListener};

    use actix_web::{App, HttpRequest, dev::Server, web};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    use super::*;

    #[actix_web::test]
    async fn a_request_knows_the_address_of_its_client() {
        async fn client(request: HttpRequest) -> String {
            request.peer_addr().unwrap().to_string()
        }
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let terms = Terms { settings: ConnectionSettings::default(), tls: None };
        let connections = move || {
            let app = App::new().default_service(web::to(client)).wrap_fn(answer);
            serve(app, terms.clone(), pending)
        };
        let server = Server::build().workers(1).disable_signals().listen("test", listener, connections).unwrap().run();
        let handle = server.handle();
        let ended = actix_web::rt::spawn(server);
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).await.unwrap();
        assert!(said.ends_with(&format!("\r\n\r\n{}", stream.local_addr().unwrap())), "{said}");
        handle.stop(false).await;
        ended.await.unwrap().unwrap();
    }
}
