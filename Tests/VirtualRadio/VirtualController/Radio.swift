import Glibc

/// Plays what is on the air to the controller, and what the controller hears and answers to the kernel.
struct Radio: ~Copyable {
    /// How long a report may wait for others to share its event.
    private static let longestHold = 50
    /// Vol 4, Part E, 7.7.16; the code is the manufacturer's own.
    private static let hardwareError: [UInt8] = [PacketType.event, 0x10, 1, 0x42]

    private var device: VirtualDevice?
    private let scenario: Scenario
    private let options: Options

    private var air: LineInput?
    private var control: LineInput?
    private var traffic = AirTraffic()
    private var synthetic: SyntheticTraffic?
    private var flood: StrangerFlood?
    private var condition = Condition()
    private var controller: Controller
    private var event: ReportEvent
    private var eventBegun = 0
    private var events = 0
    private var next = 0
    private var start: Int?

    /// - Parameters:
    ///   - air: tells what modules have on the air.
    ///   - control: tells how to fail.
    init(
        device: consuming VirtualDevice, controller: Controller, scenario: Scenario, air: consuming LineInput?,
        control: consuming LineInput?, options: Options
    ) {
        self.device = consume device
        self.air = air
        self.control = control
        self.controller = controller
        self.scenario = scenario
        self.options = options
        event = ReportEvent(extended: controller.extended)
    }

    /// Until `stop` becomes readable.
    mutating func run(stop: Int32) throws(VirtualDevice.Failure) {
        while true {
            // A descriptor below zero is never ready.
            var awaited = [
                pollfd(fd: device?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
                pollfd(fd: air?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: control?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&awaited, 4, Int32(clamping: untilNextAction)) >= 0 || errno == EINTR else {
                throw VirtualDevice.Failure("cannot wait")
            }
            if awaited[1].revents != 0 { break }
            if awaited[0].revents != 0, let packet = try device?.receive() { try handle(packet) }
            if awaited[2].revents != 0 {
                for line in air?.lines() ?? [] { log(traffic.take(line, at: monotonicMilliseconds())) }
            }
            if awaited[3].revents != 0 {
                for line in control?.lines() ?? [] { try obey(line) }
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
        if let next = synthetic?.nextAt { times.append(next) }
        if let next = flood?.nextAt { times.append(next) }
        if event.count > 0 { times.append(eventBegun + Self.longestHold) }
        guard let earliest = times.min() else { return -1 }
        return max(0, earliest - monotonicMilliseconds())
    }

    private mutating func obey(_ line: String) throws(VirtualDevice.Failure) {
        guard let command = ControlCommand(rawValue: line) else {
            return log("control: unknown command \(line.prefix(40).filter { $0.isASCII })")
        }
        log("control: \(command.rawValue)")
        condition.follow(command)
        switch command {
        case .unplug:
            event = ReportEvent(extended: controller.extended)
            device = nil
        case .plug where device == nil:
            controller.powerOn()
            condition.controllerWasReset()
            device = try VirtualDevice()
        case .hardwareError: try device?.send(Self.hardwareError)
        case .flood where flood == nil:
            guard let rate = options.floodRate else { return log("there is no --random-addresses") }
            let now = monotonicMilliseconds()
            let seed = UInt64(truncatingIfNeeded: now)
            log("flood: seed \(seed)")
            flood = StrangerFlood(
                rate: rate, extended: controller.extended, reportsPerEvent: options.reportsPerEvent, now: now,
                seed: seed)
        case .calm:
            guard let flood else { return }
            let seconds = Double(monotonicMilliseconds() - flood.begun) / 1000
            log("flood: \(flood.reported) reported in \(seconds) s, \(flood.late) too many for this machine")
            self.flood = nil
        default: break
        }
    }

    private mutating func handle(_ packet: [UInt8]) throws(VirtualDevice.Failure) {
        if packet.first == PacketType.vendor, packet.count >= 4 {
            log(
                "adapter hci\(packet.littleEndian16(at: 2)), Bluetooth \(controller.extended ? "5.0" : "4.2"), "
                    + "\(scenario.advertisers.count) advertisers, \(scenario.transmissions.count) transmissions")
            return
        }
        if packet.first == PacketType.data {
            if condition.isHung { return }
            controller.receive(data: packet)
            return try sendOutgoing()
        }
        guard let command = Command(packet: packet) else {
            log("ignored a packet of type \(hexadecimal(packet.first ?? 0, digits: 2))")
            return
        }
        if condition.isHung {
            log("left unanswered: command \(hexadecimal(command.opCode, digits: 4))")
            return
        }
        if command.opCode == OpCode.reset { condition.controllerWasReset() }
        let wasScanning = controller.isScanning
        let answer = controller.answer(to: command)
        // What was heard before the host stopped it is told before the answer.
        if wasScanning, !controller.isScanning { try sendEvent() }
        try device?.send(answer)
        try sendOutgoing()
        if start == nil, controller.isScanning {
            let now = monotonicMilliseconds()
            start = now
            synthetic = options.synthetic.map {
                SyntheticTraffic(
                    $0, extended: controller.extended, reportsPerEvent: options.reportsPerEvent, now: now)
            }
        }
    }

    /// What is on the air while nobody scans is lost.
    private mutating func play() throws(VirtualDevice.Failure) {
        let now = monotonicMilliseconds()
        let reports = condition.reports && device != nil
        for advertisement in traffic.due(at: now) { try transmit(advertisement) }
        if let start {
            while next < scenario.transmissions.count, start + scenario.transmissions[next].milliseconds <= now {
                let transmission = scenario.transmissions[next]
                var advertisement = scenario.advertisers[transmission.advertiser]
                advertisement.rssi = transmission.rssi
                next += 1
                try transmit(advertisement)
                if next == scenario.transmissions.count { log("the scenario is over") }
            }
        }
        try synthetic?.play(at: now, to: device, &controller, reports: reports)
        try flood?.play(at: now, to: device, &controller, reports: reports)
        if event.count > 0, now >= eventBegun + Self.longestHold { try sendEvent() }
    }

    private mutating func transmit(_ advertisement: Advertisement) throws(VirtualDevice.Failure) {
        guard condition.reports, device != nil else { return }
        controller.offer(advertisement)
        try sendOutgoing()
        guard controller.hears(advertisement) else { return }
        for report in ReportEvent.reports(of: advertisement, extended: controller.extended) { try add(report) }
    }

    private mutating func sendOutgoing() throws(VirtualDevice.Failure) {
        for packet in controller.takeOutgoing() { try device?.send(packet) }
    }

    private mutating func add(_ report: [UInt8]) throws(VirtualDevice.Failure) {
        if !event.hasRoom(for: report) { try sendEvent() }
        if event.count == 0 { eventBegun = monotonicMilliseconds() }
        event.append(report)
        if event.count == options.reportsPerEvent { try sendEvent() }
    }

    private mutating func sendEvent() throws(VirtualDevice.Failure) {
        guard event.count > 0 else { return }
        try device?.send(event.packet)
        events += 1
        event = ReportEvent(extended: controller.extended)
    }
}
