//! Has memory come in small pages. A huge one is cleared as a whole when it is first touched, while every request of that
//! thread waits: for quotes in memory 400 us after each 4,700 of them.

/// Keeps the system from giving this process huge pages (`PR_SET_THP_DISABLE`, prctl(2)).
///
/// # Errors
/// When the system does not take it: the service is as good, and now and then slower.
#[cfg(target_os = "linux")]
pub(crate) fn ask_for() -> rustix::io::Result<()> {
    rustix::thread::disable_transparent_huge_pages(true)
}

/// Other systems have their own ways.
#[cfg(not(target_os = "linux"))]
pub(crate) fn ask_for() -> rustix::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn there_are_no_huge_pages_from_then_on() {
        super::ask_for().unwrap();
        assert!(rustix::thread::transparent_huge_pages_are_disabled().unwrap());
    }
}
