/// Tells receptions from what only looks like one.
struct RSSICleaner {
    /// dBm. 127 stands for unknown, and 0 and above can't be.
    static let valid = -110.0..<0.0
    /// Seconds in which an equal value is the same packet, called back twice.
    private static let doubling = 0.004

    private var last: Packet?
    private(set) var dropped = 0

    mutating func accepts(_ packet: Packet) -> Bool {
        defer { last = packet }
        guard Self.valid.contains(packet.rssi) else {
            dropped += 1
            return false
        }
        if let last, last.rssi == packet.rssi, abs(packet.time - last.time) < Self.doubling {
            dropped += 1
            return false
        }
        return true
    }

    /// Another recording begins.
    mutating func restart() { last = nil }
}
