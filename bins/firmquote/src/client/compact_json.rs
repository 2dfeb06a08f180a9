//! JSON in one line, with every number as it was written.

/// Removes the whitespace between the tokens of a valid JSON text. A parser would round numbers that have more digits
/// than a float.
pub(crate) fn compact(text: &str) -> String {
    let (mut is_in_string, mut is_escaped) = (false, false);
    let is_kept = |character: &char| {
        let is_token = is_in_string || !character.is_ascii_whitespace();
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => is_in_string = !is_in_string,
            _ => {}
        }
        is_token
    };
    text.chars().filter(is_kept).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whitespace_between_tokens_is_removed() {
        for (text, expected) in [
            (
                "{\r\n  \"k\": 0.060000000000000000123,\n\t\"list\": [1, -2.50e+7]\n}\n",
                "{\"k\":0.060000000000000000123,\"list\":[1,-2.50e+7]}",
            ),
            (r#"{ "a b" : "c \" d \\" , "e" : " \n " }"#, r#"{"a b":"c \" d \\","e":" \n "}"#),
            (" null ", "null"),
        ] {
            assert_eq!(compact(text), expected);
        }
    }
}
