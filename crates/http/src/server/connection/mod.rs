//! Connections: optional TLS, HTTP on top, and disconnection of clients that are too slow.
//!
//! The stream sees the bytes of a connection and [`connections`] its requests, so the next obligation of the client is
//! always known: none while a request is in flight, the rest of a started request, reading a response, or none because
//! it is idle. [`deadlines::ConnectionDeadlines`] tracks it, and [`accept`] ends the connection when the deadline
//! passes. The connection is closed without a response, which a client could take for that of another request.

mod accept;
pub(crate) mod admission;
mod body_budget;
mod body_chunks;
mod config;
mod deadlines;
mod read_buffer;
mod stream;
mod transport;

use std::rc::Rc;

use actix_http::{HttpService, KeepAlive, Request, Response};
use actix_service::{IntoServiceFactory, Service as _, ServiceFactory, apply_fn_factory, fn_factory, map_config};
use actix_web::{
    Error,
    body::MessageBody,
    dev::{AppConfig, Extensions, ServiceResponse},
    http::StatusCode,
    rt::net::TcpStream,
};

pub(crate) use self::admission::AdmissionMetrics;
pub use self::config::ConnectionConfig;
use self::{
    accept::Accept, body_budget::BodyBudget, body_chunks::into_chunks, deadlines::ConnectionDeadlines, stream::Stream,
};
use crate::request::links::Scheme;

/// The size of the HTTP write buffer besides the chunk that is being written, in bytes.
const WRITE_BUFFER: usize = 7 * 1_024;

/// Serves every accepted socket with `app` until `stopping` resolves and requests in flight are done.
pub(crate) fn connections<A, S, B, Stopping>(
    app: impl Fn() -> A + 'static,
    config: ConnectionConfig,
    stopping: impl Fn() -> Stopping + 'static,
) -> impl ServiceFactory<TcpStream, Config = (), InitError = ()>
where
    A: IntoServiceFactory<S, Request>,
    S: ServiceFactory<Request, Config = AppConfig, Response = ServiceResponse<B>, Error = Error, InitError = ()>
        + 'static,
    B: MessageBody + 'static,
    Stopping: Future<Output = ()> + 'static,
{
    let scheme = if config.tls.is_some() { Scheme::Https } else { Scheme::Http };
    let handle = move |mut request: Request, app: &S::Service| {
        let body = BodyBudget::from_request(&mut request, config.max_body_bytes);
        let work = request.conn_data::<Rc<ConnectionDeadlines>>().map(|deadlines| deadlines.request_started(body));
        let deadlines = request.conn_data::<Rc<ConnectionDeadlines>>().map(Rc::clone);
        let response = app.call(request);
        async move {
            let response = response.await;
            if let (Ok(response), Some(deadlines)) = (&response, deadlines)
                && response.status() == StatusCode::SWITCHING_PROTOCOLS
            {
                deadlines.upgraded();
            }
            let response = Response::from(response?).map_body(|_, body: B| body.boxed());
            Ok::<_, Error>(into_chunks(response, work))
        }
    };
    let app = map_config(app(), |()| AppConfig::default());
    let http = HttpService::<Stream, _, _>::build()
        .graceful_shutdown_signal(stopping)
        // Keep-alive without the timers of actix-http: those of `deadlines` are stricter and send no response.
        .h1_write_buffer_size(WRITE_BUFFER)
        .keep_alive(KeepAlive::Os)
        .client_request_timeout(std::time::Duration::ZERO)
        .on_connect_ext(move |stream: &Stream, data: &mut Extensions| {
            data.insert(stream.deadlines());
            data.insert(scheme);
        })
        .finish(apply_fn_factory(app, handle));
    let http = Rc::new(http);
    fn_factory(move || {
        let (http, config) = (Rc::clone(&http), config.clone());
        async move { Ok(Accept::new(http.new_service(()).await?, config)) }
    })
}
