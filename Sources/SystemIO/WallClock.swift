package import BeaconModel
import CLinux
import Glibc

/// The wall clock of this machine. Only code that performs I/O reads it; all other code receives the time with the
/// data.
package enum WallClock {
    package static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// Whether the kernel considers its clock synchronized to a reference (NTP, PPS).
    ///
    /// A hardened service is not allowed to ask the kernel. Then it is what `tell` was last told.
    package static var isSynchronized: Bool { askKernel() ?? told.withLock { $0 } }

    /// Whether this process is not allowed to ask the kernel.
    package static var mustBeTold: Bool { askKernel() == nil }

    private static let told = LockedValue(false)

    /// Takes what another program knows of the kernel's clock.
    package static func tell(isSynchronized: Bool) { told.withLock { $0 = isSynchronized } }

    private static func askKernel() -> Bool? {
        var state = timex()
        // An unsynchronized clock is TIME_ERROR, which is no failure.
        guard adjtimex(&state) >= 0 else { return nil }
        return state.status & STA_UNSYNC == 0
    }
}
