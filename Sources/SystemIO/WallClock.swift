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
    package static var isSynchronized: Bool {
        var state = timex()
        return adjtimex(&state) >= 0 && state.status & STA_UNSYNC == 0
    }
}
