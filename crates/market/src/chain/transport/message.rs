//! JSON-RPC messages as nodes write them: many send both `result` and `error`, one of them null.

use alloy_json_rpc::{ErrorPayload, EthNotification, Id, PubSubItem, Response, ResponsePayload};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// A response or a notification.
#[derive(Deserialize)]
pub(super) struct Message {
    id: Option<Id>,
    /// A null result is one, as of a block that the node does not know.
    #[serde(default, deserialize_with = "some")]
    result: Option<Box<RawValue>>,
    error: Option<ErrorPayload>,
    params: Option<EthNotification>,
}

impl Message {
    /// Returns the message as a response, which is an error if it has one; `None` if it has neither result nor error.
    pub(super) fn into_response(self) -> Option<Response> {
        let payload = match (self.error, self.result) {
            (Some(error), _) => ResponsePayload::Failure(error),
            (None, Some(result)) => ResponsePayload::Success(result),
            (None, None) => return None,
        };
        Some(Response { id: self.id.unwrap_or(Id::None), payload })
    }

    /// Returns the message as an item of a subscription connection: a notification if it has no id.
    pub(super) fn into_item(mut self) -> Option<PubSubItem> {
        match self.params.take() {
            Some(notification) if self.id.is_none() => Some(PubSubItem::Notification(notification)),
            _ => self.into_response().map(PubSubItem::Response),
        }
    }
}

/// Reads a member that is present, null included.
fn some<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_members_count_as_absent() {
        let parse = |text: &str| serde_json::from_str::<Message>(text).ok()?.into_response();
        for (text, expected) in [
            (r#"{"jsonrpc":"2.0","id":1,"result":"0x1","error":null}"#, Some((Ok("\"0x1\""), Id::Number(1)))),
            (r#"{"id":1,"result":null,"error":{"code":-5,"message":"no"}}"#, Some((Err(-5), Id::Number(1)))),
            (r#"{"id":1,"error":{"code":-5,"message":"no","data":null}}"#, Some((Err(-5), Id::Number(1)))),
            (r#"{"id":null,"error":{"code":-5,"message":"no"}}"#, Some((Err(-5), Id::None))),
            (r#"{"id":1,"result":null}"#, Some((Ok("null"), Id::Number(1)))),
            (r#"{"id":1,"result":null,"error":null}"#, Some((Ok("null"), Id::Number(1)))),
            (r#"{"id":1}"#, None),
            (r#"{"id":1,"error":null}"#, None),
            (r#"[]"#, None),
        ] {
            let response = parse(text);
            let found = response.as_ref().map(|response| match &response.payload {
                ResponsePayload::Success(result) => (Ok(result.get()), response.id.clone()),
                ResponsePayload::Failure(error) => (Err(error.code), response.id.clone()),
            });
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_message_without_an_id_is_a_notification() {
        let params = r#"{"subscription":"0x1","result":{}}"#;
        for (text, expected) in [
            (format!(r#"{{"method":"eth_subscription","params":{params}}}"#), Some(true)),
            (format!(r#"{{"id":null,"result":null,"params":{params}}}"#), Some(true)),
            (r#"{"id":2,"result":"0x1","params":null}"#.to_owned(), Some(false)),
            (r#"{"method":"eth_subscription"}"#.to_owned(), None),
        ] {
            let item = serde_json::from_str::<Message>(&text).ok().and_then(Message::into_item);
            assert_eq!(item.map(|item| matches!(item, PubSubItem::Notification(_))), expected, "{text}");
        }
    }
}
