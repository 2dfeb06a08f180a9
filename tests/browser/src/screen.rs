//! What a page is shown on.

/// A screen, in CSS pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// Across.
    pub width: u16,
    /// Down.
    pub height: u16,
    /// Whether it is touched, and pages that say so are laid out for its width.
    pub is_mobile: bool,
}

impl Screen {
    /// A laptop.
    pub const DESKTOP: Self = Self { width: 1280, height: 900, is_mobile: false };

    /// A phone, held upright.
    pub const PHONE: Self = Self { width: 390, height: 844, is_mobile: true };
}

/// What the reader prefers: `prefers-color-scheme` (Media Queries Level 5, section 12.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColorScheme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl ColorScheme {
    /// The word in a style sheet.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}
