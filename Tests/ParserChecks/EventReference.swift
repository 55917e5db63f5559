/// The reports of an H4 packet by the plainest reading of the Bluetooth Core Specification 5.4, Vol 4, Part E, 7.7.65.2
/// and 7.7.65.13.
struct EventReference {
    struct Report {
        var addressType: UInt8
        /// As a number.
        var address: UInt64
        var rssi: Int8
        var data: [UInt8]
    }

    var reports: [Report] = []
    /// Whether something is missing.
    var isBroken = false

    init(_ packet: [UInt8]) {
        guard packet.starts(with: [0x04, 0x3E]) else { return }
        let parameters = packet.dropFirst(3).prefix(packet.count > 2 ? Int(packet[2]) : 0)
        guard packet.count > 2, parameters.count == Int(packet[2]), let subevent = parameters.first else {
            isBroken = true
            return
        }
        guard subevent == 0x02 || subevent == 0x0D else { return }
        guard let count = parameters.dropFirst().first else {
            isBroken = true
            return
        }
        var rest = Array(parameters.dropFirst(2))
        for _ in 0..<count {
            guard let report = subevent == 0x02 ? Self.legacy(&rest) : Self.extended(&rest) else {
                isBroken = true
                return
            }
            reports.append(report)
        }
    }

    private static func legacy(_ rest: inout [UInt8]) -> Report? {
        guard rest.count > 8, rest.count >= 10 + Int(rest[8]) else { return nil }
        let data = Array(rest[9..<(9 + Int(rest[8]))])
        defer { rest.removeFirst(10 + data.count) }
        return Report(
            addressType: rest[1], address: number(rest[2..<8]), rssi: Int8(bitPattern: rest[9 + data.count]), data: data
        )
    }

    private static func extended(_ rest: inout [UInt8]) -> Report? {
        guard rest.count > 23, rest.count >= 24 + Int(rest[23]) else { return nil }
        let data = Array(rest[24..<(24 + Int(rest[23]))])
        defer { rest.removeFirst(24 + data.count) }
        return Report(
            addressType: rest[2], address: number(rest[3..<9]), rssi: Int8(bitPattern: rest[13]), data: data)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
