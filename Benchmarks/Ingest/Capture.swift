import BeaconModel
import Glibc

extension Corpus {
    /// How long its packets take, at the rate at which one radio can receive.
    var length: Duration { .microseconds(385 * packets.count) }

    /// The corpus, `times` one after the other, as a btsnoop capture (H4, datalink 1002) on standard output.
    func writeCapture(times: Int) {
        write(Array("btsnoop\0".utf8) + bigEndian(1, 4) + bigEndian(1002, 4))
        for round in 0..<times {
            var bytes: [UInt8] = []
            for packet in packets {
                let time = packet.time + length * round
                let size = UInt64(packet.bytes.count)
                bytes += bigEndian(size, 4) + bigEndian(size, 4) + bigEndian(1, 4) + bigEndian(0, 4)
                // Microseconds since the start of the year 0.
                bytes += bigEndian(UInt64(time.microseconds) + 0x00DC_DDB3_0F2F_8000, 8) + packet.bytes
            }
            write(bytes)
        }
    }

    private func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard written > 0 else { exit(1) }
            rest = rest.dropFirst(written)
        }
    }

    private func bigEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64(count - 1 - $0))) }
    }
}
