import BeaconModel

/// Packets in the order of reception, made of any bytes: for each one a byte with its adapter and the time since the
/// one before, a byte with its length, and the packet.
struct PacketSequence {
    struct Packet {
        var bytes: [UInt8]
        var time: Timestamp
        var adapter: Adapter
    }

    var packets: [Packet] = []
    /// Whether the clock is never set back.
    var isInOrder = true

    init(_ input: [UInt8]) {
        var time = Timestamp(microseconds: 1_600_000_000_000_000)
        var rest = input[...]
        while rest.count >= 2 {
            let first = rest.removeFirst()
            let length = min(Int(rest.removeFirst()), rest.count)
            // The upper six bits: -32 to 31 steps.
            let step = Duration.milliseconds(Int(Int8(bitPattern: first) >> 2) * 200)
            if step < .zero { isInOrder = false }
            time = time + step
            packets.append(
                Packet(bytes: Array(rest.prefix(length)), time: time, adapter: Adapter(index: UInt16(first & 3))))
            rest = rest.dropFirst(length)
        }
    }

    /// The input that gives packets that come at once, from adapter 0. Each is at most 255 bytes long.
    static func input(_ packets: [[UInt8]]) -> [UInt8] {
        packets.flatMap { [0, UInt8(clamping: $0.count)] + $0.prefix(255) }
    }
}
