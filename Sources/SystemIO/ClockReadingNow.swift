package import BeaconModel
import CLinux
import Glibc

extension ClockReading {
    /// Reads the clocks of this machine.
    package static func now() -> ClockReading {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return ClockReading(
            wall: WallClock.now(), sinceBoot: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000,
            bootID: thisBoot, isSynchronized: WallClock.isSynchronized)
    }

    private static let thisBoot: String = {
        let bytes = (try? FileContents.read("/proc/sys/kernel/random/boot_id", limit: 256)) ?? []
        return String(decoding: bytes.filter { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
    }()
}
