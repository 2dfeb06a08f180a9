//! A browser with one page, and the emulation of its screen.
#![expect(clippy::expect_used, reason = "a browser that fails is a failed test")]

use std::{fs, path::Path, sync::Mutex};

use firmquote_test_servers::patience::PATIENCE;
use reqwest::Client;
use serde_json::{Value, json};
use thirtyfour::{
    ChromeCapabilities, ChromiumLikeCapabilities as _, DesiredCapabilities, LoggingPrefsLogLevel, WebDriver,
};

use crate::{
    driver::Driver,
    page_log::PageLog,
    screen::{ColorScheme, Screen},
};

/// Headless, without background activity, and resolving no host name except localhost.
const ARGUMENTS: [&str; 12] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-proxy-server",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/// A headless Chromium with one page. Killed on drop, with all of its child processes.
pub struct Browser {
    pub(crate) session: WebDriver,
    pub(crate) log: Mutex<PageLog>,
    driver: Driver,
}

impl Browser {
    /// Starts a browser with an empty page, [`Screen::DESKTOP`] and [`ColorScheme::Light`].
    ///
    /// # Panics
    /// If Chromium or its driver is not installed or does not start.
    pub async fn start() -> Self {
        let driver = Driver::start();
        // Ignore proxies from the environment: the driver is local.
        let client = Client::builder().no_proxy().timeout(PATIENCE).build().expect("a client without TLS");
        let session = WebDriver::builder(driver.url(), capabilities(driver.browser())).client(client);
        let session = session.connect().await.expect("a browser that its driver can start");
        let browser = Self { session, log: Mutex::default(), driver };
        browser.show_on(Screen::DESKTOP).await;
        browser.prefer(ColorScheme::Light).await;
        browser
    }

    /// Emulates this screen from now on.
    ///
    /// # Panics
    /// If the browser refuses.
    pub async fn show_on(&self, Screen { width, height, is_mobile }: Screen) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_mobile });
        self.command("Emulation.setDeviceMetricsOverride", size).await;
        self.command("Emulation.setTouchEmulationEnabled", json!({ "enabled": is_mobile })).await;
    }

    /// Emulates this color scheme preference from now on.
    ///
    /// # Panics
    /// If the browser refuses.
    pub async fn prefer(&self, scheme: ColorScheme) {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme.name() });
        self.command("Emulation.setEmulatedMedia", json!({ "features": [feature] })).await;
    }

    /// Writes a screenshot to `file` (PNG).
    ///
    /// # Panics
    /// If the page cannot be rendered or the file cannot be written.
    pub async fn screenshot(&self, file: &Path) {
        let image = self.session.screenshot_as_png().await.expect("a page that can be rendered");
        fs::write(file, image).expect("a writable file");
    }

    /// Returns the ID of the group of all its processes.
    pub fn process_group(&self) -> u32 {
        self.driver.group()
    }

    /// Sends a DevTools protocol command.
    async fn command(&self, name: &str, parameters: Value) {
        self.session.cdp().send_raw(name, parameters).await.expect("a command that Chromium knows");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The processes are killed, so the session need not be closed; it may be gone already.
        drop(self.session.clone().leak());
    }
}

fn capabilities(browser: &Path) -> ChromeCapabilities {
    let mut capabilities = DesiredCapabilities::chrome();
    capabilities.set_binary(&browser.to_string_lossy()).expect("a text");
    for argument in ARGUMENTS {
        capabilities.add_arg(argument).expect("a text");
    }
    for log in ["browser", "performance"] {
        capabilities.set_logging_prefs(log, LoggingPrefsLogLevel::All).expect("a text");
    }
    capabilities
}
