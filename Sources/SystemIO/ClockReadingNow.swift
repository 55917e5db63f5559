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
        let text = String(decoding: bytes.filter { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
        // A hardened service does not see that file. Its service manager tells it.
        return text.isEmpty ? getenv("BEACON_BOOT_ID").flatMap { dashed(String(cString: $0)) } ?? "" : text
    }()

    /// Returns a boot identifier of 32 hexadecimal digits in the form of the kernel; `nil` for any other text.
    package static func dashed(_ text: String) -> String? {
        let digits = Array(text.utf8)
        guard digits.count == 32, digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else {
            return nil
        }
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
            .map { String(decoding: digits[$0], as: UTF8.self) }.joined(separator: "-")
    }
}
