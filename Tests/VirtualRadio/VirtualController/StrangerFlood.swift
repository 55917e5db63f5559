/// Advertisers of whom each is heard once: an iBeacon with an address, UUID, major and minor that nobody had before.
///
/// Every second one has the UUID of the made-up beacons, so that it can pass for one of a site's own.
struct StrangerFlood {
    /// Packets for one call, so that the host's commands are answered in between.
    private static let longestBurst = 256

    private let extended: Bool
    private var packet: [UInt8]
    /// Where the reports begin.
    private let offsets: [Int]
    private var pace: Pace
    private var random: RandomNumbers
    private(set) var reported = 0
    /// What was too much for this machine.
    private(set) var late = 0
    private(set) var begun: Int

    init(rate: Int, extended: Bool, reportsPerEvent: Int, now: Int, seed: UInt64) {
        self.extended = extended
        random = RandomNumbers(seed: seed)
        begun = now
        pace = Pace(rate: rate, now: now)
        var event = ReportEvent(extended: extended)
        var offsets: [Int] = []
        var end = ReportEvent.headerLength
        for index in 0..<reportsPerEvent {
            for report in ReportEvent.reports(of: MadeUpBeacon.advertisement(number: index), extended: extended)
            where event.hasRoom(for: report) {
                event.append(report)
                offsets.append(end)
                end += report.count
            }
        }
        packet = event.packet
        self.offsets = offsets
    }

    var nextAt: Int { pace.nextAt }

    mutating func play(at now: Int, to device: borrowing VirtualDevice?, _ controller: inout Controller, reports: Bool)
        throws(VirtualDevice.Failure)
    {
        late += pace.forgetTheLate(at: now)
        let hears = reports && controller.reportsAnything
        var packets = min(pace.due(at: now) / offsets.count, Self.longestBurst)
        while packets > 0 {
            packets -= 1
            pace.take(offsets.count)
            guard hears else { continue }
            disguise()
            guard try device?.send(packet) == true else { continue }
            controller.report(offsets.count)
            reported += offsets.count
        }
    }

    /// Makes strangers of those in the packet.
    private mutating func disguise() {
        let addressOffset = ReportEvent.addressOffset(extended: extended)
        let identityOffset = ReportEvent.dataOffset(extended: extended) + MadeUpBeacon.prefix.count
        for (index, offset) in offsets.enumerated() {
            let (first, second, third) = (random.next(), random.next(), random.next())
            packet.withUnsafeMutableBytes { bytes in
                for byte in 0..<6 {
                    bytes[offset + addressOffset + byte] = UInt8(truncatingIfNeeded: first >> (8 * byte))
                }
                // Both highest bits: a random static address (Vol 6, Part B, 1.3.2.1).
                bytes[offset + addressOffset + 5] |= 0xC0
                if index % 2 == 0 {
                    bytes.storeBytes(of: second, toByteOffset: offset + identityOffset, as: UInt64.self)
                    bytes.storeBytes(of: third, toByteOffset: offset + identityOffset + 8, as: UInt64.self)
                }
                bytes.storeBytes(
                    of: UInt32(truncatingIfNeeded: second ^ third), toByteOffset: offset + identityOffset + 16,
                    as: UInt32.self)
            }
        }
    }
}
