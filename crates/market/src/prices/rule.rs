//! The rules by name, for whoever counts or shows what breaks them.

/// What a price or the reserves of a pool have to keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// That of [`Distrust::Silent`](super::Distrust::Silent).
    Silent,
    /// That of [`Distrust::Old`](super::Distrust::Old).
    Old,
    /// That of [`Distrust::Jump`](super::Distrust::Jump).
    Jump,
    /// That of [`Distrust::Deviation`](super::Distrust::Deviation).
    Deviation,
    /// That of [`Distrust::Confidence`](super::Distrust::Confidence).
    Confidence,
    /// That of [`Distrust::Future`](super::Distrust::Future).
    Future,
    /// That of [`Distrust::Invalid`](super::Distrust::Invalid).
    Invalid,
    /// That of [`Distrust::TooFew`](super::Distrust::TooFew).
    TooFew,
    /// That of [`Distrust::Reserves`](super::Distrust::Reserves).
    Reserves,
}

impl Rule {
    /// The rules that what a source says can break.
    pub const OF_WORDS: [Self; 4] = [Self::Jump, Self::Confidence, Self::Future, Self::Invalid];
    /// The rules that a source can break, by a word or by none.
    pub const OF_SOURCES: [Self; 6] =
        [Self::Silent, Self::Old, Self::Jump, Self::Confidence, Self::Future, Self::Invalid];
    /// The rules that the price of an asset can break.
    pub const OF_PRICES: [Self; 8] = [
        Self::Silent,
        Self::Old,
        Self::Jump,
        Self::Deviation,
        Self::Confidence,
        Self::Future,
        Self::Invalid,
        Self::TooFew,
    ];
    /// The rules that the reserves of a pool can break.
    pub const OF_RESERVES: [Self; 4] = [Self::Silent, Self::Old, Self::Future, Self::Reserves];

    /// Its name, for machines: lower case, with underscores.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Silent => "silent",
            Self::Old => "old",
            Self::Jump => "jump",
            Self::Deviation => "deviation",
            Self::Confidence => "confidence",
            Self::Future => "future",
            Self::Invalid => "invalid",
            Self::TooFew => "too_few",
            Self::Reserves => "reserves",
        }
    }
}
