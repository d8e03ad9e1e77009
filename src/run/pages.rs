//! Advice to the machine about memory. Nothing depends on it.

/// Asks for huge pages, which save most of the address-translation misses of random access.
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

/// Brings the cache line of a value closer.
#[inline(always)]
pub fn prefetch_line<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching never faults and reads nothing; the address is that of a live reference anyway.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
