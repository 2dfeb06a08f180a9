//! User interactions with the page. Elements are identified by CSS selectors; the first match is used.
#![expect(clippy::expect_used, clippy::panic, reason = "a page that does not respond as expected is a failed test")]

use std::time::{Duration, Instant};

use firmquote_test_servers::patience::PATIENCE;
use serde_json::Value;
use thirtyfour::{By, WebElement, error::WebDriverError};

use crate::Browser;

/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// Characters of the page source shown in the message of a failed test.
const MAX_SOURCE_CHARS: usize = 2_000;

impl Browser {
    /// Opens `url` and waits until it has loaded.
    ///
    /// # Panics
    /// If it does not load.
    pub async fn open(&self, url: &str) {
        self.session.goto(url).await.unwrap_or_else(|error| panic!("{url} does not load: {error}"));
    }

    /// Clicks an element as soon as it exists, is visible and is not covered.
    ///
    /// # Panics
    /// If it never becomes clickable.
    pub async fn click(&self, css: &str) {
        self.until(&format!("{css} can be clicked"), async || self.find(css).await?.click().await.map_err(message))
            .await;
    }

    /// Double-clicks an element as soon as it exists and is visible.
    ///
    /// # Panics
    /// If it never becomes clickable.
    pub async fn double_click(&self, css: &str) {
        self.until(&format!("{css} can be double-clicked"), async || {
            let element = self.find(css).await?;
            self.session.action_chain().double_click_element(&element).perform().await.map_err(message)
        })
        .await;
    }

    /// Replaces the content of a field with `text`.
    ///
    /// # Panics
    /// If the field never becomes available.
    pub async fn fill(&self, css: &str, text: &str) {
        self.until(&format!("{css} can be filled in"), async || {
            let field = self.find(css).await?;
            field.clear().await.map_err(message)?;
            field.send_keys(text).await.map_err(message)
        })
        .await;
    }

    /// Returns the visible text of an element as soon as it exists.
    ///
    /// # Panics
    /// If the element never appears.
    pub async fn text(&self, css: &str) -> String {
        self.until(&format!("{css} exists"), async || self.find(css).await?.text().await.map_err(message)).await
    }

    /// Returns the visible text of an element as soon as it contains `part`.
    ///
    /// # Panics
    /// If it never does.
    pub async fn wait_for_text(&self, css: &str, part: &str) -> String {
        self.until(&format!("{css} contains {part:?}"), async || {
            let text = self.find(css).await?.text().await.map_err(message)?;
            if text.contains(part) { Ok(text) } else { Err(format!("it contains {text:?}")) }
        })
        .await
    }

    /// Returns the visible texts of all elements that currently match.
    ///
    /// # Panics
    /// If the page keeps changing while it is read.
    pub async fn texts(&self, css: &str) -> Vec<String> {
        self.until(&format!("all of {css} are read"), async || {
            let mut texts = Vec::new();
            for element in self.session.find_all(By::Css(css)).await.map_err(message)? {
                texts.push(element.text().await.map_err(message)?);
            }
            Ok(texts)
        })
        .await
    }

    /// Evaluates a JavaScript expression in the page and returns its value as JSON.
    ///
    /// # Panics
    /// If it throws.
    pub async fn evaluate(&self, expression: &str) -> Value {
        let value = self.session.execute(format!("return {expression}"), []).await;
        value.unwrap_or_else(|error| panic!("{expression}: {error}")).json().clone()
    }

    /// Waits until a JavaScript expression is true in the page.
    ///
    /// # Panics
    /// If it throws or never becomes true.
    pub async fn wait_until(&self, expression: &str) {
        self.until(expression, async || match self.evaluate(expression).await {
            Value::Bool(true) => Ok(()),
            value => Err(format!("it is {value}")),
        })
        .await;
    }

    async fn find(&self, css: &str) -> Result<WebElement, String> {
        self.session.find(By::Css(css)).await.map_err(message)
    }

    /// Retries `attempt` until it succeeds.
    async fn until<T>(&self, what: &str, attempt: impl AsyncFn() -> Result<T, String>) -> T {
        let start = Instant::now();
        loop {
            match attempt().await {
                Ok(value) => return value,
                Err(reason) if start.elapsed() > PATIENCE => {
                    let page = self.session.source().await.expect("a page");
                    let page: String = page.chars().take(MAX_SOURCE_CHARS).collect();
                    let errors = self.console_errors().await;
                    panic!("timed out waiting until {what}: {reason}; {errors:?}; the page is {page}")
                }
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    }
}

fn message(error: WebDriverError) -> String {
    error.to_string()
}
