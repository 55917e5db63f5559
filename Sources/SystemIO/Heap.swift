import CLinux

/// Settings of the C library's heap for processes that run for months.
package enum Heap {
    /// Makes the heap give memory back to the system. It is called once, before there are other threads.
    ///
    /// Without it, each thread can get an arena of its own, and what one of them has freed stays with it. Matchers answer
    /// each request with the store on a thread of its own.
    package static func giveBack() {
        _ = mallopt(M_ARENA_MAX, 2)
        // Fixed thresholds: by default they grow with the largest block that was ever freed.
        _ = mallopt(M_MMAP_THRESHOLD, 256 * 1024)
        _ = mallopt(M_TRIM_THRESHOLD, 1024 * 1024)
    }

    /// Gives free memory within the heap back to the system. It takes some milliseconds.
    package static func trim() {
        _ = malloc_trim(0)
    }
}
