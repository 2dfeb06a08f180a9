//! A browser with one page, and what it is shown on.
#![expect(clippy::expect_used, reason = "a browser that does not do as it is told is a failed test")]

use std::{fs, path::Path, sync::Mutex};

use firmquote_test_servers::patience::PATIENCE;
use reqwest::Client;
use serde_json::{Value, json};
use thirtyfour::{
    ChromeCapabilities, ChromiumLikeCapabilities as _, DesiredCapabilities, LoggingPrefsLogLevel, WebDriver,
};

use crate::{
    driver::Driver,
    screen::{ColorScheme, Screen},
    seen::Seen,
};

/// Without a window, without errands of its own, and without any name but this machine's.
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

/// A headless Chromium with one page. Gone with this value, with every process it started.
pub struct Browser {
    pub(crate) session: WebDriver,
    pub(crate) seen: Mutex<Seen>,
    driver: Driver,
}

impl Browser {
    /// Starts one, with an empty page on a [`Screen::DESKTOP`] that prefers [`ColorScheme::Light`].
    ///
    /// # Panics
    /// If no Chromium or no driver is installed, or they do not start.
    pub async fn start() -> Self {
        let driver = Driver::start();
        // A proxy of the environment has nothing to do with a driver on this machine.
        let client = Client::builder().no_proxy().timeout(PATIENCE).build().expect("a client without TLS");
        let session = WebDriver::builder(driver.url(), capabilities(driver.browser())).client(client);
        let session = session.connect().await.expect("a browser that its driver can start");
        let browser = Self { session, seen: Mutex::default(), driver };
        browser.show_on(Screen::DESKTOP).await;
        browser.prefer(ColorScheme::Light).await;
        browser
    }

    /// Shows the page on this screen, from now on.
    ///
    /// # Panics
    /// If the browser does not.
    pub async fn show_on(&self, Screen { width, height, is_mobile }: Screen) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_mobile });
        self.command("Emulation.setDeviceMetricsOverride", size).await;
        self.command("Emulation.setTouchEmulationEnabled", json!({ "enabled": is_mobile })).await;
    }

    /// Tells pages that their reader prefers this, from now on.
    ///
    /// # Panics
    /// If the browser does not.
    pub async fn prefer(&self, scheme: ColorScheme) {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme.name() });
        self.command("Emulation.setEmulatedMedia", json!({ "features": [feature] })).await;
    }

    /// Writes what the screen shows into `file` (PNG).
    ///
    /// # Panics
    /// If the page cannot be drawn or the file not be written.
    pub async fn screenshot(&self, file: &Path) {
        let image = self.session.screenshot_as_png().await.expect("a page that can be drawn");
        fs::write(file, image).expect("a writable file");
    }

    /// The number of the group of all its processes.
    pub fn process_group(&self) -> u32 {
        self.driver.group()
    }

    /// A command of the DevTools protocol.
    async fn command(&self, name: &str, parameters: Value) {
        self.session.cdp().send_raw(name, parameters).await.expect("a command that Chromium knows");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The processes are killed: nobody has to end the session, and it may be over already.
        drop(self.session.clone().leak());
    }
}

fn capabilities(browser: &Path) -> ChromeCapabilities {
    let mut wanted = DesiredCapabilities::chrome();
    wanted.set_binary(&browser.to_string_lossy()).expect("a text");
    for argument in ARGUMENTS {
        wanted.add_arg(argument).expect("a text");
    }
    for log in ["browser", "performance"] {
        wanted.set_logging_prefs(log, LoggingPrefsLogLevel::All).expect("a text");
    }
    wanted
}
