//! A request from its head to its answer: what it says, what it works with, and what became known of it on the way.

use std::{
    cell::{Ref, RefCell},
    rc::Rc,
    sync::Arc,
};

use actix_http::{Payload, Request};
use actix_web::{
    http::{Method, header::HeaderMap},
    web::Bytes,
};
use firmquote_domain::Client;
use tokio::task::yield_now;

use crate::{
    body,
    cors::CorsOrigin,
    error::ApiError,
    in_force::InForce,
    limits::{Sender, Standing},
    route::Route,
    routes::{Routes, Target},
    site::Site,
    subject::Subject,
};

/// How often a request with a body that is not read gives way to its connection.
const BODY_TURNS: usize = 3;

/// A request while it is answered.
pub(crate) struct Asked {
    /// What was in force as it came.
    pub(crate) in_force: Arc<InForce>,
    pub(crate) site: Rc<Site>,
    request: Request,
    target: Target,
    payload: RefCell<Payload>,
    client: RefCell<Option<Client>>,
    standing: RefCell<Option<Standing>>,
    subject: RefCell<Option<Subject>>,
}

/// A request whose body has arrived.
pub(crate) struct WithBody {
    /// What it works with from here on.
    pub(crate) in_force: Arc<InForce>,
    pub(crate) client: Client,
    pub(crate) body: Bytes,
}

impl Asked {
    /// A request of which nothing is known but what came.
    pub(crate) fn new(site: Rc<Site>, in_force: Arc<InForce>, mut request: Request) -> Self {
        let payload = RefCell::new(request.take_payload());
        let target = site.routes.target(request.uri());
        let (client, standing, subject) = (RefCell::default(), RefCell::default(), RefCell::default());
        Self { in_force, site, request, target, payload, client, standing, subject }
    }

    /// The operation.
    pub(crate) const fn route(&self) -> Route {
        self.target.route()
    }

    /// What the path names where the pattern of its route leaves it open.
    pub(crate) fn parameter(&self) -> &str {
        self.target.parameter(self.request.uri())
    }

    pub(crate) fn method(&self) -> &Method {
        self.request.method()
    }

    pub(crate) fn headers(&self) -> &HeaderMap {
        &self.request.head().headers
    }

    pub(crate) fn query(&self) -> &str {
        self.request.uri().query().unwrap_or_default()
    }

    /// The origins whose pages may send it; none at the operator's listener.
    pub(crate) fn cors_origins(&self) -> &[CorsOrigin] {
        if self.site.routes == Routes::Admin { &[] } else { &self.in_force.settings.cors_origins }
    }

    /// The request itself, for headers that are read as their types.
    pub(crate) const fn message(&self) -> &Request {
        &self.request
    }

    /// Who sent it, as far as limits are concerned.
    pub(crate) fn sender(&self) -> Sender<'_> {
        Sender { peer: self.request.peer_addr(), headers: self.headers(), standing: &self.standing }
    }

    /// Who sent it, if it may be answered now; remembered for the log.
    ///
    /// # Errors
    /// Those of credentials and of limits.
    pub(crate) async fn client(&self) -> Result<Client, ApiError> {
        let client = self.identify(&self.in_force).await?;
        self.in_force.count(&client, self.route(), self.sender())?;
        Ok(client)
    }

    async fn identify(&self, in_force: &InForce) -> Result<Client, ApiError> {
        let client = in_force.identify(self.route(), self.sender()).await?;
        *self.client.borrow_mut() = Some(client.clone());
        Ok(client)
    }

    /// The body, from whoever is let in, with what is in force once it has arrived: a client that keeps its body back is not
    /// answered by what was in force when it began.
    ///
    /// # Errors
    /// Those of [`Self::client`] and of [`Self::body`].
    pub(crate) async fn with_body(&self) -> Result<WithBody, ApiError> {
        let client = self.client().await?;
        let body = self.body().await?;
        let newest = self.site.live.load();
        let client = if Arc::ptr_eq(&self.in_force, &newest) { client } else { self.identify(&newest).await? };
        Ok(WithBody { in_force: newest, client, body })
    }

    /// The body, whoever sent it. It can be read once.
    ///
    /// # Errors
    /// Those of [`body::announced`] and [`body::read`].
    pub(crate) async fn body(&self) -> Result<Bytes, ApiError> {
        let announced = body::announced(self.headers())?;
        let payload = self.payload.replace(Payload::None);
        body::read(payload, announced, self.site.body_timeout).await
    }

    /// Lets what has arrived of a body that nobody read be taken in: a connection on which it stands unread ends with the
    /// answer, and the client's next request would have to make another.
    pub(crate) async fn pass_over_body(&self) {
        if !matches!(*self.payload.borrow(), Payload::None) {
            // The connection takes in the rest of what it was sent between two of them.
            for _ in 0..BODY_TURNS {
                yield_now().await;
            }
        }
    }

    /// Remembers what it is about.
    pub(crate) fn is_about(&self, subject: Subject) {
        *self.subject.borrow_mut() = Some(subject);
    }

    /// Who sent it, as far as that was found out.
    pub(crate) fn known_client(&self) -> Ref<'_, Option<Client>> {
        self.client.borrow()
    }

    /// Where its client stands with a limit, if it is under one.
    pub(crate) fn standing(&self) -> Ref<'_, Option<Standing>> {
        self.standing.borrow()
    }

    /// What it is about, as far as that was found out.
    pub(crate) fn subject(&self) -> Ref<'_, Option<Subject>> {
        self.subject.borrow()
    }
}
