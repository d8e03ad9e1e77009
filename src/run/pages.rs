//! Pages of memory.

/// Asks for huge pages, which save most of the address-translation misses of random access. Only advice: nothing
/// depends on it.
#[cfg(target_os = "linux")]
pub fn advise_huge_pages<T>(slice: &[T]) {
    const HUGE: usize = 2 << 20;
    let range = slice.as_ptr_range();
    let start = (range.start as usize).next_multiple_of(HUGE);
    let end = range.end as usize / HUGE * HUGE;
    if end > start {
        // SAFETY: the range lies inside one live allocation of ours and is page-aligned; this advice never changes
        // the contents of memory.
        unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
    }
}

/// No advice is given here.
#[cfg(not(target_os = "linux"))]
pub fn advise_huge_pages<T>(_: &[T]) {}
