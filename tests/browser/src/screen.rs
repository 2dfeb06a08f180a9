//! Emulated screens and preferences.

/// A screen, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Width.
    pub width: u16,
    /// Height.
    pub height: u16,
    /// Whether it is a touch screen that honors the viewport meta tag.
    pub is_mobile: bool,
}

impl Screen {
    /// A laptop.
    pub const DESKTOP: Self = Self { width: 1280, height: 900, is_mobile: false };

    /// A phone in portrait orientation.
    pub const PHONE: Self = Self { width: 390, height: 844, is_mobile: true };
}

/// The user's color scheme preference: `prefers-color-scheme` (Media Queries Level 5, section 12.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorScheme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl ColorScheme {
    /// Returns the CSS keyword.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}
