import Glibc

/// Plays the scenario and what modules have on the air to the controller, and what the controller hears and answers to the kernel.
struct Radio: ~Copyable {
    /// How long a report may wait for others to share its event.
    private static let longestHold = 50

    private let device: VirtualDevice
    private let scenario: Scenario
    private let reportsPerEvent: Int

    private var air: LineInput?
    private var traffic = AirTraffic()
    private var controller: Controller
    private var event: ReportEvent
    private var eventBegun = 0
    private var events = 0
    private var next = 0
    private var start: Int?

    /// - Parameter air: tells what modules have on the air.
    init(
        device: consuming VirtualDevice, controller: Controller, scenario: Scenario, air: consuming LineInput?,
        reportsPerEvent: Int
    ) {
        self.device = device
        self.air = air
        self.controller = controller
        self.scenario = scenario
        self.reportsPerEvent = reportsPerEvent
        event = ReportEvent(extended: controller.extended)
    }

    /// Until `stop` becomes readable.
    mutating func run(stop: Int32) throws(VirtualDevice.Failure) {
        while true {
            var awaited = [
                pollfd(fd: device.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
                // One below zero is never ready.
                pollfd(fd: air?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&awaited, 3, Int32(clamping: untilNextAction)) >= 0 || errno == EINTR else {
                throw VirtualDevice.Failure("cannot wait")
            }
            if awaited[1].revents != 0 { break }
            if awaited[0].revents != 0 { try handle(device.receive()) }
            if awaited[2].revents != 0 {
                for line in air?.lines() ?? [] { log(traffic.take(line, at: monotonicMilliseconds())) }
            }
            try play()
        }
        try sendEvent()
        log("end: \(controller.reported) reported in \(events) events, \(controller.withheld) duplicates withheld")
    }

    /// In milliseconds; -1: for ever.
    private var untilNextAction: Int {
        var times: [Int] = []
        if let start, next < scenario.transmissions.count {
            times.append(start + scenario.transmissions[next].milliseconds)
        }
        if let next = traffic.nextAt { times.append(next) }
        if event.count > 0 { times.append(eventBegun + Self.longestHold) }
        guard let earliest = times.min() else { return -1 }
        return max(0, earliest - monotonicMilliseconds())
    }

    private mutating func handle(_ packet: [UInt8]) throws(VirtualDevice.Failure) {
        if packet.first == PacketType.vendor, packet.count >= 4 {
            log(
                "adapter hci\(packet.littleEndian16(at: 2)), Bluetooth \(controller.extended ? "5.0" : "4.2"), "
                    + "\(scenario.advertisers.count) advertisers, \(scenario.transmissions.count) transmissions")
            return
        }
        guard let command = Command(packet: packet) else {
            log("ignored a packet of type \(hexadecimal(packet.first ?? 0, digits: 2))")
            return
        }
        let wasScanning = controller.isScanning
        let answer = controller.answer(to: command)
        // What was heard before the host stopped it is told before the answer.
        if wasScanning, !controller.isScanning { try sendEvent() }
        try device.send(answer)
        if start == nil, controller.isScanning { start = monotonicMilliseconds() }
    }

    /// What is on the air while nobody scans is lost.
    private mutating func play() throws(VirtualDevice.Failure) {
        let now = monotonicMilliseconds()
        for advertisement in traffic.due(at: now) { try transmit(advertisement) }
        if let start {
            while next < scenario.transmissions.count, start + scenario.transmissions[next].milliseconds <= now {
                let advertisement = scenario.advertisers[scenario.transmissions[next].advertiser]
                next += 1
                try transmit(advertisement)
                if next == scenario.transmissions.count { log("the scenario is over") }
            }
        }
        if event.count > 0, now >= eventBegun + Self.longestHold { try sendEvent() }
    }

    private mutating func transmit(_ advertisement: Advertisement) throws(VirtualDevice.Failure) {
        guard controller.hears(advertisement) else { return }
        for report in ReportEvent.reports(of: advertisement, extended: controller.extended) { try add(report) }
    }

    private mutating func add(_ report: [UInt8]) throws(VirtualDevice.Failure) {
        if !event.hasRoom(for: report) { try sendEvent() }
        if event.count == 0 { eventBegun = monotonicMilliseconds() }
        event.append(report)
        if event.count == reportsPerEvent { try sendEvent() }
    }

    private mutating func sendEvent() throws(VirtualDevice.Failure) {
        guard event.count > 0 else { return }
        try device.send(event.packet)
        events += 1
        event = ReportEvent(extended: controller.extended)
    }
}
