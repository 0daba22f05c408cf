//! Measures how much memory a piece of code has in use at its peak, on the current thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Runs the code and returns the most bytes it held at once.
pub fn peak_while(run: impl FnOnce()) -> usize {
    let before = IN_USE.get();
    PEAK.set(before);
    run();
    usize::try_from(PEAK.get() - before).unwrap_or_default()
}

thread_local! {
    static IN_USE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count(change: isize) {
    // Threads that are ending have no counters left.
    let _ = IN_USE.try_with(|in_use| {
        in_use.set(in_use.get() + change);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(in_use.get())));
    });
}

#[expect(unsafe_code, reason = "counting allocations needs an allocator")]
// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promises are those of the system allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller's promises are those of the system allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}
