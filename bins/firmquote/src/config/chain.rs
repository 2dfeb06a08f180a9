//! `[[chain]]`: the chains that pools live on.

use firmquote_domain::{Address, ChainId, Symbol};

use super::{
    error::Mistake,
    reader::{Field, Keys, Table},
};

/// A `[[chain]]`.
pub(crate) struct ChainConfig {
    /// `id`: EIP-155 chain id, 1 to 2^64 - 1; required.
    pub(crate) id: ChainId,
    /// `name`: for people, 1 to 64 characters; required.
    pub(crate) name: String,
    /// `native_symbol`: symbol of the native coin; required. An asset of this symbol is the wrapped-native token.
    pub(crate) native_symbol: Symbol,
    /// `wrapped_native`: address of the wrapped-native contract; required.
    pub(crate) wrapped_native: Address,
    /// `rpc_urls`: how many addresses of nodes there are. Default none. Nothing asks a node yet.
    pub(crate) rpc_url_count: usize,
}

pub(super) const KEYS: Keys = Keys::new(&["id", "name", "native_symbol", "wrapped_native", "rpc_urls"]);

impl ChainConfig {
    /// Reads every table.
    ///
    /// # Errors
    /// [`Mistake`] for the first key that is wrong, and for a chain id that is there twice.
    pub(super) fn read_all(tables: &[Table<'_>]) -> Result<Vec<Self>, Mistake> {
        let mut chains: Vec<Self> = Vec::new();
        for table in tables {
            let chain = Self::read(table)?;
            if chains.iter().any(|earlier| earlier.id == chain.id) {
                return Err(table.field("id").not_allowed("an id that no other chain has"));
            }
            chains.push(chain);
        }
        Ok(chains)
    }

    fn read(table: &Table<'_>) -> Result<Self, Mistake> {
        Ok(Self {
            id: chain_id(&table.field("id"))?,
            name: table.field("name").label(64)?,
            native_symbol: table.field("native_symbol").value(Symbol::new)?,
            wrapped_native: table.field("wrapped_native").contract()?,
            rpc_url_count: table.field("rpc_urls").secret().or(0, |field| count_urls(&field))?,
        })
    }
}

/// Reads a chain id.
pub(super) fn chain_id(field: &Field<'_>) -> Result<ChainId, Mistake> {
    let id = field.integer(1..=u64::MAX, "")?;
    ChainId::new(id).ok_or_else(|| field.not_allowed("1 or more"))
}

/// How many addresses of nodes there are. They may hold keys: no error shows them.
fn count_urls(field: &Field<'_>) -> Result<usize, Mistake> {
    let urls = field.list("addresses")?;
    for url in &urls {
        url.text("http:// or https:// and a host, without blanks", |text| is_url(text).then_some(()).ok_or(()))?;
    }
    Ok(urls.len())
}

fn is_url(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let has_host = |rest: &str| !rest.is_empty() && !rest.starts_with(['/', '?', '#', ':']);
    rest.is_some_and(has_host) && text.len() <= 2_048 && text.bytes().all(|byte| byte.is_ascii_graphic())
}
