import Advertisement
import BeaconModel
import ModuleEmulator
import Testing

@testable import ModuleDialogues

/// A module that advertises its beacon listens too.
@Suite struct ListeningTests {
    typealias Options = RS9116Emulator.Options

    private static let wanted = BeaconConfiguration(
        beacon: BeaconID(uuid: ProximityUUID(bits: 5), major: 1, minor: 2), measuredPower: -59)
    private static let neighbour = OnAir(
        advertising: true, type: 131, intervalUnits: 160,
        data: IBeacon.advertisingData(
            BeaconID(uuid: ProximityUUID(bits: 3), major: 1, minor: 2), measuredPower: -59),
        address: BluetoothAddress(bits: 0x88DA_1AE8_0777))

    private static func line(
        profile: RS9116Profile = RS9116Profile(), listens: Bool = true, _ change: (inout Options) -> Void = { _ in }
    ) -> EmulatedSerialLine {
        var options = Options()
        change(&options)
        var line = EmulatedSerialLine(RS9116Emulator(options: options), assignment: wanted, profile: profile)
        line.tell(.listen(listens))
        line.run()
        return line
    }

    private static func sent(_ line: EmulatedSerialLine) -> [String] {
        line.sent.map { String(decoding: $0, as: UTF8.self).split(separator: "\r\n").first.map(String.init) ?? "" }
    }

    private static let scan = "at+rsibt_scan=1,0,0,0,160,40"
    private static let stopScan = "at+rsibt_scan=0,0,0,0,160,40"

    @Test("Once its beacon is on the air it listens, and what it hears is passed on while its beacon stays")
    func both() {
        var line = Self.line()
        #expect(line.air.advertising)
        line.run(until: line.now + .seconds(5))
        #expect(line.listenings.map(\.what) == [.begun(inTurns: false)])
        line.disturb { $0.hear(Self.neighbour, rssi: -63) }
        line.run(until: line.now + .seconds(1))
        #expect(line.receptions.map(\.address) == [Self.neighbour.address])
        line.run(until: line.now + .seconds(3600))
        #expect(line.longestSilence == .zero)
        #expect(line.losses.isEmpty && line.failure == nil)
    }

    @Test("In an empty room it is known to listen, by evidence every 10 s")
    func emptyRoom() {
        var line = Self.line()
        let start = line.now
        line.run(until: start + .seconds(3600))
        #expect(line.listened >= .seconds(3580))
        let times = line.listenings.map(\.at)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < .seconds(15) })
    }

    @Test("A module that isn't wanted to listen is never told to")
    func unwanted() {
        var line = Self.line(listens: false)
        line.run(until: line.now + .seconds(600))
        #expect(!Self.sent(line).contains { $0.contains("_scan") })
        #expect(line.listenings.isEmpty)
    }

    @Test("Listening begins and ends when that is wanted, without disturbing the beacon")
    func changes() {
        var line = Self.line(listens: false)
        line.run(until: line.now + .seconds(10))
        line.tell(.listen(true))
        line.run(until: line.now + .seconds(10))
        #expect(line.listenings.first?.what == .begun(inTurns: false))
        line.tell(.listen(false))
        line.run(until: line.now + .seconds(10))
        #expect(line.listenings.last?.what == .ended(.notWanted))
        line.disturb { $0.hear(Self.neighbour, rssi: -63) }
        line.run(until: line.now + .seconds(60))
        #expect(line.receptions.isEmpty)
        #expect(line.longestSilence == .zero)
        #expect(line.provisionings.count == 1)
    }

    @Test("A silent reset ends what is known of its listening; repaired, it listens again")
    func reset() {
        var line = Self.line()
        line.run(until: line.now + .seconds(20))
        line.disturb {
            $0.reset()
            return []
        }
        line.run(until: line.now + .seconds(60))
        #expect(line.losses == [.reset])
        #expect(line.listenings.map(\.what).contains(.ended(.interrupted)))
        #expect(line.listenings.last?.what != .ended(.interrupted))
        #expect(line.air.advertising)
    }

    @Test("A scan that stops by itself is noticed and started again; what isn't known to have been heard doesn't count")
    func stopsByItself() {
        for tells in [true, false] {
            var line = Self.line {
                $0.scanEndsAfter = .seconds(25)
                $0.doubleScan = tells ? .refused : .accepted
            }
            let start = line.now
            line.run(until: start + .seconds(600))
            let ends = line.listenings.count { $0.what == .ended(.stopped) }
            #expect((15...30).contains(ends), "\(tells): \(ends)")
            #expect(line.listened > .seconds(300) && line.listened < .seconds(530), "\(tells): \(line.listened)")
            #expect(line.longestSilence == .zero)
        }
    }

    @Test(
        "Where both at once isn't possible they take turns: the beacon is never off the air for as long as it takes to miss it",
        arguments: [Options.Scanning.endsAdvertising, .silencesAdvertising, .refusedWhileAdvertising])
    func turns(scanning: Options.Scanning) {
        for refusesDoubles in [true, false] {
            // A module that takes every start of its advertising and refuses it while it scans doesn't exist.
            var line = Self.line {
                $0.scanning = scanning
                $0.doubleStart = refusesDoubles ? .refused : .accepted
                $0.doubleScan = refusesDoubles ? .refused : .accepted
            }
            let start = line.now
            line.run(until: start + .seconds(3600))
            #expect(line.steps.contains(.listeningInTurns), "\(scanning)")
            #expect(line.longestSilence < .seconds(7), "\(scanning): \(line.longestSilence)")
            #expect((.seconds(240)...(.seconds(330))).contains(line.listened), "\(scanning): \(line.listened)")
            #expect(line.losses.isEmpty && line.failure == nil)
            #expect(line.provisionings.count == 1)
        }
    }

    @Test("In a turn it passes on what it hears, and its beacon is back afterwards")
    func turn() {
        var line = Self.line { $0.scanning = .refusedWhileAdvertising }
        line.run(until: line.now + .seconds(300)) { $0.listenings.last?.what == .begun(inTurns: true) }
        #expect(!line.air.advertising)
        line.disturb { $0.hear(Self.neighbour, rssi: -63) }
        line.run(until: line.now + .seconds(10))
        #expect(line.receptions.count == 1)
        #expect(line.listenings.last?.what == .paused)
        #expect(line.air.advertising)
    }

    @Test("A module known to take turns does so from the beginning")
    func knownTurns() {
        var line = Self.line(profile: RS9116Profile([.scanBesideAdvertising: false])) {
            $0.scanning = .endsAdvertising
        }
        line.run(until: line.now + .seconds(300))
        #expect(line.listenings.first?.what == .begun(inTurns: true))
        #expect(line.listened >= .seconds(20))
    }

    @Test("A module that is silent while it scans and says nothing of it takes turns once somebody misses it")
    func missed() {
        var line = Self.line {
            $0.scanning = .silencesAdvertising
            $0.deviceStateIsAlwaysZero = true
        }
        line.run(until: line.now + .seconds(15))
        #expect(!line.air.advertising)
        line.tell(.check)
        line.run(until: line.now + .seconds(2))
        #expect(line.air.advertising)
        let silence = line.longestSilence
        line.run(until: line.now + .seconds(600))
        #expect(line.longestSilence == silence)
        #expect(line.listenings.contains { $0.what == .begun(inTurns: true) })
    }

    @Test("A firmware that doesn't know the command goes on as a beacon, and is asked again now and then")
    func refused() {
        var line = Self.line { $0.scanning = .refused(0x4FF8) }
        line.run(until: line.now + .seconds(3600))
        #expect(line.listenings.allSatisfy { $0.what == .ended(.refused) })
        #expect((4...7).contains(line.listenings.count))
        #expect(line.longestSilence == .zero)
        #expect(line.losses.isEmpty && line.failure == nil)
    }

    @Test("Where nothing tells whether it listens, only what it hears does")
    func unproven() {
        var line = Self.line {
            $0.doubleScan = .accepted
            $0.deviceStateIsAlwaysZero = true
        }
        line.run(until: line.now + .seconds(300))
        #expect(line.listenings.last?.what == .ended(.unproven))
        let before = line.listened
        #expect(before == .zero)
        line.disturb { $0.hear(Self.neighbour, rssi: -63) }
        line.run(until: line.now + .seconds(1))
        #expect(line.listenings.last?.what == .begun(inTurns: false))
        #expect(line.receptions.count == 1)
    }

    @Test("A module that was left scanning by another run is taken over, or told to stop where nobody wants it")
    func leftScanning() {
        for listens in [true, false] {
            var emulator = Self.line(listens: false) { $0.crowd = 60 }.module
            let outputs = emulator.receive(Array((Self.scan + "\r\n").utf8), baud: 115_200)
            var line = EmulatedSerialLine(emulator, assignment: Self.wanted)
            line.disturb { _ in outputs.filter { if case .schedule = $0 { true } else { false } } }
            line.tell(.listen(listens))
            line.run()
            #expect(!line.provisionings.isEmpty)
            line.run(until: line.now + .seconds(60))
            #expect(line.air.advertising)
            #expect(line.receptions.isEmpty != listens)
            #expect(Self.sent(line).contains(Self.stopScan))
        }
    }

    @Test(
        "A flood of reports, whole and damaged, among replies and within them, delays no check and is no fault",
        arguments: [60, 90, 900], [false, true])
    func flood(rate: Int, isWithin: Bool) {
        var line = Self.line {
            $0.crowd = rate
            $0.reportsWithinReplies = isWithin
            $0.truncatedReportPeriod = isWithin ? 0 : 53
            $0.malformedReportPeriod = 7
            $0.anonymousReportPeriod = 5
            $0.pacedPiece = rate > 100 ? 0 : 16
            $0.responseDelay = .milliseconds(5)
        }
        let start = line.now
        let before = Self.sent(line).count { $0 == "at+rsibt_getlocalbdaddr?" }
        // Of the fastest only a minute: it is a test of many reports.
        let seconds = rate > 100 ? 60 : 300
        line.run(until: start + .seconds(seconds))
        let checks = Self.sent(line).count { $0 == "at+rsibt_getlocalbdaddr?" } - before
        #expect((seconds / 30 - 1...seconds / 30 + 1).contains(checks), "\(checks) \(Self.sent(line).suffix(60))")
        #expect(line.losses.isEmpty && line.failure == nil, "\(line.steps)")
        #expect(line.provisionings.count == 1)
        #expect(line.receptions.count > 40 * seconds)
        #expect(line.receptions.contains { $0.isAnonymous })
        #expect(line.listenings.contains { $0.what == .unreadable })
        #expect(!line.listenings.contains { if case .ended = $0.what { true } else { false } })
        #expect(line.longestSilence == .zero)
        #expect(line.identity?.address == Options().address)
    }

    @Test("A module that is to be left doesn't listen, and advertises, also in the middle of a turn")
    func leaving() {
        for scanning in [Options.Scanning.besideAdvertising, .endsAdvertising, .refusedWhileAdvertising] {
            var line = Self.line { $0.scanning = scanning }
            line.run(until: line.now + .seconds(300)) {
                if case .begun = $0.listenings.last?.what { true } else { false }
            }
            line.tell(.leave)
            line.run(until: line.now + .seconds(1))
            #expect(line.isFinished, "\(scanning)")
            #expect(line.air.advertising, "\(scanning)")
            #expect(Self.sent(line).contains(Self.stopScan))
        }
    }

    // MARK: Speed

    private static func fast(_ rate: Int, _ change: (inout Options) -> Void = { _ in }) -> EmulatedSerialLine {
        var profile = RS9116Profile()
        profile.baudRate = rate
        return line(profile: profile) {
            $0.crowd = 90
            change(&$0)
        }
    }

    @Test("A module is spoken to at the speed that is wanted, if it takes that", arguments: RS9116Profile.baudRates)
    func speed(rate: Int) {
        var line = Self.fast(rate)
        #expect(line.baudRate == rate)
        line.run(until: line.now + .seconds(60))
        #expect(line.receptions.count > 4000)
        #expect(line.losses.isEmpty)
    }

    @Test("One that doesn't take it is spoken to at 115,200 baud, after a second or two more")
    func tooFast() {
        let slow = Self.fast(115_200).now
        var line = Self.fast(921_600) { $0.fastestBaud = 115_200 }
        #expect(line.baudRate == 115_200)
        #expect(line.failure == nil)
        #expect(line.now - slow < .seconds(4))
        line.run(until: line.now + .seconds(60))
        #expect(line.receptions.count > 4000)
    }

    @Test("A line that loses bytes when it is fast is given up for a slow one", arguments: [11, 31, 97, 301])
    func lossy(period: Int) {
        var line = Self.fast(921_600) { $0.droppedBytePeriodWhenFast = period }
        line.run(until: line.now + .seconds(600))
        #expect(line.baudRate == 115_200, "\(line.steps)")
        #expect(line.failure == nil)
        #expect(line.air.advertising)
        #expect(line.listenings.last?.what == .begun(inTurns: false) || line.listenings.last?.what == .confirmed)
    }

    @Test("After a silent reset the fast line is found again")
    func fastReset() {
        var line = Self.fast(460_800)
        line.disturb {
            $0.reset()
            return []
        }
        line.run(until: line.now + .seconds(60))
        #expect(line.losses == [.reset])
        #expect(line.baudRate == 460_800)
        #expect(line.air.advertising)
    }

    @Test("Firmware that was left running at the wanted speed is found without a reset")
    func runningFast() {
        var profile = RS9116Profile()
        profile.baudRate = 921_600
        let start = Self.line(profile: profile)
        var line = EmulatedSerialLine(start.module, assignment: Self.wanted, profile: profile)
        line.run()
        #expect(line.provisionings.first?.isUnchanged == true, "\(line.steps)")
        #expect(line.baudRate == 921_600)
        #expect(line.now < .seconds(5))
    }
}
