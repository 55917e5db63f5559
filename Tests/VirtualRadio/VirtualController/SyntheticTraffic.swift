/// Many iBeacons that transmit in turn. Their events are made beforehand, so that a slow processor reaches the rate.
struct SyntheticTraffic {
    static let mostAdvertisers = 60_000

    /// An event as it is sent, and how many reports are in it.
    private struct Packet {
        var bytes: [UInt8]
        var count: Int
    }

    private let advertisers: Int
    private let total: Int
    private let packets: [Packet]
    private var position = 0
    private var pace: Pace
    private let begun: Int
    private var written = 0
    private var events = 0
    private var unheard = 0
    /// Since the host enabled scanning.
    private var reportedInScan = 0
    private var scan = 0

    init(_ options: Options.Synthetic, extended: Bool, reportsPerEvent: Int, now: Int) {
        advertisers = options.count
        total = options.rate * options.seconds
        begun = now
        pace = Pace(rate: options.rate, now: now)
        var packets: [Packet] = []
        var event = ReportEvent(extended: extended)
        func finish() {
            if event.count > 0 { packets.append(Packet(bytes: event.packet, count: event.count)) }
            event = ReportEvent(extended: extended)
        }
        for index in 0..<options.count {
            for report in ReportEvent.reports(of: MadeUpBeacon.advertisement(number: index), extended: extended) {
                if event.count == reportsPerEvent || !event.hasRoom(for: report) { finish() }
                event.append(report)
            }
        }
        finish()
        self.packets = packets
    }

    /// In milliseconds; `nil` when all is said.
    var nextAt: Int? { isOver ? nil : pace.nextAt }

    private var isOver: Bool { written + unheard >= total }

    /// Sends what is due. What nobody hears is counted apart, and so is what a duplicate filter withholds.
    ///
    /// - Parameter reports: false when the controller is in no condition to report.
    mutating func play(at now: Int, to device: borrowing VirtualDevice?, _ controller: inout Controller, reports: Bool)
        throws(VirtualDevice.Failure)
    {
        guard !isOver else { return }
        var due = min(pace.due(at: now), total - written - unheard)
        let hears = reports && controller.reportsAnything
        if controller.scans != scan {
            scan = controller.scans
            reportedInScan = 0
        }
        while due > 0 {
            let packet = packets[position]
            position = (position + 1) % packets.count
            due -= packet.count
            pace.take(packet.count)
            if !hears {
                unheard += packet.count
            } else if controller.filtersDuplicates, reportedInScan >= advertisers {
                controller.withhold(packet.count)
                unheard += packet.count
            } else if try device?.send(packet.bytes) != true {
                unheard += packet.count
            } else {
                controller.report(packet.count)
                reportedInScan += packet.count
                written += packet.count
                events += 1
            }
        }
        if isOver {
            let seconds = Double(now - begun) / 1000
            log("synthetic: \(written) reported in \(events) events in \(seconds) s, \(unheard) unheard")
        }
    }
}
