//! Splits response bodies into chunks: a connection holds one at a time and gets the next once the client has taken it.

use std::{
    convert::Infallible,
    error::Error,
    pin::Pin,
    task::{Context, Poll},
};

use actix_http::{
    Response,
    body::{BodySize, BoxBody, MessageBody},
};
use actix_web::web::Bytes;

use super::deadlines::InFlightRequest;

/// The maximum size of a chunk passed to a connection, in bytes.
const CHUNK_BYTES: usize = 8 * 1_024;

/// A body of known length. The remainder shares the original buffer and is not copied.
struct BodyChunks(Bytes);

impl MessageBody for BodyChunks {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        u64::try_from(self.0.len()).map_or(BodySize::Stream, BodySize::Sized)
    }

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        let length = self.0.len().min(CHUNK_BYTES);
        let piece = self.0.split_to(length);
        Poll::Ready((!piece.is_empty()).then_some(Ok(piece)))
    }
}

/// A body that is still being produced; its request stays in flight until it ends.
struct StreamedBody {
    body: BoxBody,
    _work: Option<InFlightRequest>,
}

impl MessageBody for StreamedBody {
    type Error = Box<dyn Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.body).poll_next(context)
    }
}

/// Splits a body larger than one chunk. The request, tracked by `work`, ends now, or with its body if that is a stream.
pub(super) fn into_chunks(response: Response<BoxBody>, work: Option<InFlightRequest>) -> Response<BoxBody> {
    response.map_body(|_, body| match body.try_into_bytes() {
        Ok(bytes) if bytes.len() > CHUNK_BYTES => BoxBody::new(BodyChunks(bytes)),
        Ok(bytes) => BoxBody::new(bytes),
        Err(body) => BoxBody::new(StreamedBody { body, _work: work }),
    })
}

#[cfg(test)]
mod tests {
    use actix_http::{StatusCode, body::to_bytes};

    use super::*;

    #[actix_web::test]
    async fn chunking_preserves_the_body() {
        for length in [0, 1, CHUNK_BYTES, CHUNK_BYTES + 1, 5 * CHUNK_BYTES + 7] {
            let body: Vec<u8> = (0..length).map(|at| u8::try_from(at % 251).unwrap()).collect();
            let response = Response::with_body(StatusCode::OK, BoxBody::new(Bytes::from(body.clone())));
            let body_in_pieces = into_chunks(response, None).into_body();
            assert_eq!(body_in_pieces.size(), BodySize::Sized(u64::try_from(length).unwrap()), "{length}");
            assert_eq!(to_bytes(body_in_pieces).await.unwrap(), body, "{length}");
        }
    }
}
