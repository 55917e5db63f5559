import BeaconModel
import HCI
import Testing

@testable import BlueZScanner
@testable import Diagnostics
@testable import Gateway
@testable import GatewayCoreTests

/// What the marks mean, on schedules of a few seconds.
@Suite("Evaluation") struct EvaluateTests {
    private static let badge = EvaluationSchedule.Identity.beacon(Capture.badge)
    private static let begin = EvaluateFixture.begin

    /// - Parameter phases: state, in range, out of range, in seconds.
    private func schedule(
        _ phases: [(String, Int, Int?)], identities: [EvaluationSchedule.Identity] = [badge]
    ) -> EvaluationSchedule {
        EvaluationSchedule(
            receiver: "r", receiverState: "scanning", start: Self.begin, requiredWindow: .seconds(30),
            discoveryLimit: .seconds(60),
            devices: [
                .init(
                    name: "phone", identities: identities,
                    phases: phases.map {
                        .init(state: $0.0, inRange: .seconds($0.1), outOfRange: $0.2.map { .seconds($0) })
                    })
            ])
    }

    /// - Parameter listened: from and to which second.
    private func evaluate(
        _ schedule: EvaluationSchedule, heardAt seconds: [Double], listened: ClosedRange<Double> = 0...1000,
        rssi: Int8 = -60
    ) -> EvaluationResult {
        func time(_ second: Double) -> Timestamp { Self.begin + .milliseconds(Int64(second * 1000)) }
        var evaluation = Evaluation(schedule)
        evaluation.listen(at: time(listened.lowerBound))
        for second in seconds {
            evaluation.observe(
                subject: .beacon(Capture.badge), address: nil, rssi: RSSI(dBm: rssi), at: time(second))
        }
        evaluation.listen(at: time(listened.upperBound))
        return evaluation.result()
    }

    private func every(_ step: Double, _ range: ClosedRange<Double>) -> [Double] {
        Array(stride(from: range.lowerBound, through: range.upperBound, by: step))
    }

    @Test("The worked example has the marks and numbers that were worked out by hand")
    func worked() throws {
        let result = try EvaluateFixture.result()
        let phone = result.devices[0].phases
        #expect(phone.map(\.arrival) == [.holds, .fails, .holds])
        #expect(phone.map(\.question) == [.discovery, .resume, .discovery])
        #expect(phone.map(\.tracking) == [.holds, .fails, .holds])
        #expect(phone.map(\.timeToFirst) == [.seconds(2), .seconds(70), .seconds(5)])
        #expect(phone.map(\.windows) == [4, 3, 3])
        #expect(phone.map(\.windowsHeard) == [4, 1, 3])
        #expect(phone.map(\.longestGap) == [.seconds(10), .seconds(70), .seconds(30)])
        #expect(phone.map(\.readings) == [12, 1, 3])
        #expect(phone.map(\.rssi?.median) == [-60, -70, -63])
        let pixel = result.devices[1].phases
        #expect(pixel.map(\.arrival) == [.holds, .holds, .notCovered])
        #expect(pixel.map(\.question) == [.discovery, .resume, .discovery])
        #expect(pixel.map(\.tracking) == [.holds, .notTested, .fails])
        #expect(pixel.map(\.windows) == [2, 0, 1])
        #expect(pixel.map(\.longestGap) == [.seconds(30), .seconds(7), .seconds(40)])
        #expect(result.devices[1].unheard.map(\.description) == ["C0:11:22:33:44:99"])
        #expect(result.reports == 101)
        #expect(!result.holds)
    }

    @Test("Phases of one state are pooled, over devices too: one failure is the state's")
    func pooled() throws {
        let states = try EvaluateFixture.result().states
        #expect(states.map(\.name) == ["foreground", "background", "locked"])
        #expect(states.map(\.row.discovery) == [.holds, .holds, .notCovered])
        #expect(states.map(\.row.tracking) == [.fails, .holds, .fails])
        #expect(states.map(\.row.resume) == [.fails, .notTested, .notTested])
        #expect(states[0].devices.map(\.row.resume) == [.fails, .holds])
        #expect(states[0].devices.map(\.row.phases.count) == [2, 2])
    }

    @Test(
        "A first reading at the limit is in time, and one after it isn't", arguments: [(60.0, true), (60.001, false)])
    func limit(second: Double, isInTime: Bool) {
        let phase = evaluate(schedule([("a", 0, 100)]), heardAt: [second]).devices[0].phases[0]
        #expect(phase.arrival == (isInTime ? .holds : .fails))
        #expect(phase.timeToFirst == .milliseconds(Int64(second * 1000)))
    }

    @Test("A device that was never heard is asked for its discovery again, not whether it resumed")
    func discoveredAtLast() {
        let phases = evaluate(schedule([("a", 0, 100), ("a", 200, 300), ("a", 400, 500)]), heardAt: [201, 401])
            .devices[0].phases
        #expect(phases.map(\.question) == [.discovery, .discovery, .resume])
        #expect(phases.map(\.arrival) == [.fails, .holds, .holds])
    }

    @Test("A device that is heard in another state first is discovered in each")
    func states() {
        let phases = evaluate(schedule([("a", 0, 100), ("b", 200, 300), ("a", 400, 500)]), heardAt: [1, 201, 401])
            .devices[0].phases
        #expect(phases.map(\.question) == [.discovery, .discovery, .resume])
    }

    @Test("A change of state in range is neither a discovery nor a resume")
    func changed() {
        let phases = evaluate(schedule([("a", 0, 60), ("b", 60, 120), ("b", 200, 260)]), heardAt: every(10, 0...260))
            .devices[0].phases
        #expect(phases.map(\.question) == [.discovery, nil, .resume])
        #expect(phases.map(\.arrival) == [.holds, .notTested, .holds])
        #expect(phases.map(\.tracking) == [.holds, .holds, .holds])
    }

    @Test("A window without a reading is one that wasn't tracked, the first one too")
    func windows() {
        let phase = evaluate(schedule([("a", 0, 120)]), heardAt: every(5, 30...119)).devices[0].phases[0]
        #expect(phase.tracking == .fails)
        #expect(phase.windowsHeard == 3)
        #expect(phase.windows == 4)
        #expect(phase.longestGap == .seconds(30))
    }

    @Test(
        "A last window counts if at least half of it is in range",
        arguments: [(29, 0), (30, 1), (44, 1), (45, 2), (60, 2)])
    func lastWindow(seconds: Int, windows: Int) {
        let phase = evaluate(schedule([("a", 0, seconds)]), heardAt: every(1, 0...100)).devices[0].phases[0]
        #expect(phase.windows == windows)
        #expect(phase.windowsHeard == windows)
        #expect(phase.tracking == (windows == 0 ? .notTested : .holds))
    }

    @Test("Readings out of range are counted with the strongest, before, between and after the phases")
    func leaks() {
        var evaluation = Evaluation(schedule([("a", 10, 20), ("a", 30, 40)]))
        for (second, rssi): (Int, Int8) in [(5, -80), (10, -50), (20, -70), (25, -90), (29, -75), (39, -50), (40, 127)]
        {
            evaluation.observe(
                subject: .beacon(Capture.badge), address: nil, rssi: RSSI(dBm: rssi),
                at: Self.begin + .seconds(second))
        }
        let device = evaluation.result().devices[0]
        #expect(device.leaks.map(\.readings) == [1, 3, 1])
        #expect(device.leaks.map(\.strongest?.dBm) == [-80, -70, nil])
        #expect(device.phases.map(\.readings) == [1, 1])
        #expect(device.bins.outOfRange.reduce(0, +) == 4)
        let warnings = evaluation.result().warnings
        #expect(
            warnings.contains(
                "phone: 3 readings while out of range (+0:20 to +0:29, strongest -70 dBm); the shielding leaks, or a "
                    + "clock is wrong"
            ), "\(warnings)")
    }

    @Test("What wasn't listened to isn't failed, and what was heard counts all the same")
    func notCovered() {
        let phases = [("a", 0, 100), ("a", 200, 300), ("a", 400, 500)] as [(String, Int, Int?)]
        let result = evaluate(schedule(phases), heardAt: [230, 401], listened: 220...410)
        #expect(result.devices[0].phases.map(\.arrival) == [.notCovered, .holds, .holds])
        #expect(result.devices[0].phases.map(\.tracking) == [.notCovered, .fails, .notCovered])
        #expect(result.devices[0].phases[1].windowsCovered == 2)
        #expect(result.devices[0].phases[1].longestGap == .seconds(70))
        #expect(result.warnings.contains("phone, phase 1 (a): D and T not covered, the first packet is at +3:40"))
        #expect(result.warnings.contains("phone, phase 3 (a): T not covered, the last packet is at +6:50"))
    }

    @Test("A first reading that is late, of a receiver that began late, says nothing")
    func beganLate() {
        let phase = evaluate(schedule([("a", 0, 300)]), heardAt: every(10, 100...300), listened: 100...300)
            .devices[0].phases[0]
        #expect(phase.arrival == .notCovered)
        #expect(phase.tracking == .notCovered)
        #expect(phase.windowsHeard == phase.windowsCovered)
    }

    @Test("A pause of the receiver is no silence of the device")
    func paused() {
        var evaluation = Evaluation(schedule([("a", 0, 120)]))
        func hear(_ seconds: Int) {
            evaluation.listen(at: Self.begin + .seconds(seconds))
            evaluation.observe(
                subject: .beacon(Capture.badge), address: nil, rssi: nil, at: Self.begin + .seconds(seconds))
        }
        for second in [0, 10, 20, 30] { hear(second) }
        evaluation.pause()
        for second in [100, 110, 120] { hear(second) }
        let phase = evaluation.result().devices[0].phases[0]
        #expect(phase.tracking == .notCovered)
        #expect(phase.windowsCovered == 3)
        #expect(phase.windowsHeard == 3)
    }

    @Test("A pause is one when it is longer than is tolerated", arguments: [(30, true), (31, false)])
    func tolerated(seconds: Int, isCovered: Bool) {
        var coverage = Coverage()
        coverage.listen(at: Self.begin)
        coverage.pause(tolerating: .seconds(30))
        coverage.listen(at: Self.begin + .seconds(seconds))
        coverage.listen(at: Self.begin + .seconds(100))
        #expect(coverage.intervals.count == (isCovered ? 1 : 2))
        #expect(coverage.covers(Self.begin, Self.begin + .seconds(100)) == isCovered)
        #expect(coverage.covers(Self.begin + .seconds(50), Self.begin + .seconds(100)))
        #expect(!coverage.covers(Self.begin + .seconds(50), Self.begin + .seconds(101)))
    }

    @Test("A schedule without a start begins with the first packet, and an open phase ends with the last")
    func startless() {
        var schedule = schedule([("a", 0, 30), ("a", 60, nil)])
        schedule.start = nil
        let result = evaluate(schedule, heardAt: every(10, 500...700), listened: 500...700)
        #expect(result.start == Self.begin + .seconds(500))
        #expect(result.devices[0].phases.map(\.arrival) == [.holds, .holds])
        // 140 s: four windows and 20 s.
        #expect(result.devices[0].phases[1].windows == 5)
        #expect(result.devices[0].phases[1].outOfRange == Self.begin + .seconds(700))
        #expect(result.holds)
    }

    @Test("One packet of a device that is known by its address and by its beacon is one reading")
    func once() {
        var evaluation = Evaluation(
            schedule([("a", 0, 100)], identities: [Self.badge, .address(BluetoothAddress(bits: 7))]))
        evaluation.observe(
            subject: .beacon(Capture.badge), address: BluetoothAddress(bits: 7), rssi: nil, at: Self.begin)
        evaluation.observe(subject: nil, address: BluetoothAddress(bits: 7), rssi: nil, at: Self.begin)
        evaluation.observe(subject: nil, address: BluetoothAddress(bits: 8), rssi: nil, at: Self.begin)
        let result = evaluation.result()
        #expect(result.devices[0].phases[0].readings == 2)
        #expect(result.devices[0].unheard.isEmpty)
        #expect(result.reports == 3)
    }

    @Test("An adapter's silence was listened to as far as it says, and its deafness wasn't")
    func live() {
        var task = EvaluationTask(schedule([("a", 0, 90)]))
        func batch(_ second: Int) -> HCIPacketBatch {
            let report: [UInt8] = [0x03, 0x01, 1, 0x44, 0x33, 0x22, 0x11, 0xC0, 0, 0xC4]
            var batch = HCIPacketBatch()
            batch.append(
                [0x04, 0x3E, UInt8(report.count + 2), 0x02, 0x01] + report, time: Self.begin + .seconds(second),
                adapter: Adapter(index: 0))
            return batch
        }
        #expect(task.take(.packets(batch(0))) == Self.begin)
        #expect(
            task.take(.silence(now: Self.begin + .seconds(45), heardUntil: Self.begin + .seconds(40)))
                == Self.begin + .seconds(45))
        #expect(task.take(.silence(now: Self.begin + .seconds(46), heardUntil: nil)) == Self.begin + .seconds(46))
        var state = RadioState(adapter: Adapter(index: 0), path: .raw)
        state.condition = .deaf
        #expect(task.take(.state(state)) == nil)
        _ = task.take(.packets(batch(55)))
        _ = task.take(.packets(batch(90)))
        let phase = task.evaluation.result().devices[0].phases[0]
        // 0 to 40 s and 55 to 90 s: the first and the last of three windows.
        #expect(phase.windowsCovered == 2)
        #expect(phase.arrival == .notCovered)
        #expect(phase.tracking == .fails)
        #expect(task.evaluation.end == Self.begin + .seconds(90))
        #expect(task.evaluation.reports == 3)
    }

    @Test("Readings of any time, in any order, trap nothing")
    func anyTime() {
        var evaluation = Evaluation(schedule([("a", 0, 100), ("b", 100, nil)]))
        let times = [Timestamp.latest, .epoch, Self.begin, .latest, Self.begin + .seconds(101), .epoch]
        for time in times {
            evaluation.listen(at: time)
            evaluation.observe(subject: .beacon(Capture.badge), address: nil, rssi: nil, at: time)
        }
        let result = evaluation.result()
        #expect(result.devices[0].phases[1].windows == EvaluationSchedule.mostWindows)
        #expect(!EvaluationText(result: result).lines.isEmpty)
        #expect(!EvaluationHTML(result: result).text.isEmpty)
        #expect(!EvaluationDocument(result).line.isEmpty)
    }

    @Test("The bins of a timeline keep every reading while they become wider")
    func bins() {
        var bins = ReadingBins(origin: Self.begin)
        for second in 0..<3000 { bins.add(at: Self.begin + .seconds(second), isInRange: second % 3 > 0) }
        bins.add(at: Self.begin + .seconds(-1), isInRange: true)
        bins.add(at: .latest, isInRange: true)
        // 256 s, 512 s, 1024 s, 2048 s, 4096 s.
        #expect(bins.width == .seconds(16))
        #expect(bins.inRange.reduce(0, +) == 2000)
        #expect(bins.outOfRange.reduce(0, +) == 1000)
        #expect(bins.inRange[187] + bins.outOfRange[187] == 8)
    }
}
