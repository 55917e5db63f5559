import Advertisement
import BeaconModel
import SystemIO
import Testing

@testable import ModuleDialogues
@testable import ModuleDialoguesTests
@testable import ModuleEmulator

/// Every knob with every way in which a scan and the advertising get along: the beacon goes first, and nothing is said to
/// have been listened that wasn't.
@Suite struct ListeningSweepTests {
    private static let wanted = BeaconConfiguration(
        beacon: BeaconID(
            uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 1, minor: 2),
        measuredPower: -59)
    private static let data = IBeacon.advertisingData(wanted.beacon, measuredPower: -59)

    private static let scannings: [RS9116Emulator.Options.Scanning] = [
        .besideAdvertising, .endsAdvertising, .silencesAdvertising, .refusedWhileAdvertising, .refused(0x4FF8),
    ]

    private struct Outcome {
        var name: String
        var isRight: Bool
        var isProvisioned: Bool
        var listened: Int
        var scanned: Int
        var failure: String?
    }

    private static func run(
        _ knob: Knob, _ scanning: RS9116Emulator.Options.Scanning, crowd: Int, _ name: String
    ) -> Outcome {
        var options = RS9116Emulator.Options()
        knob.change(&options)
        options.scanning = scanning
        options.crowd = crowd
        var line = EmulatedSerialLine(RS9116Emulator(options: options), assignment: wanted)
        line.tell(.listen(true))
        line.run()
        var scanned = 0
        for _ in 0..<200 {
            line.run(until: line.now + .seconds(1))
            if (line.module as? RS9116Emulator)?.isScanning == true { scanned += 1 }
        }
        let listened = line.listened
        // A turn, or a repair, may be under way.
        line.run(until: line.now + .seconds(60)) { $0.air.advertising }
        return Outcome(
            name: name,
            isRight: line.air.advertising && line.air.data == data && line.air.intervalUnits == 160,
            isProvisioned: !line.provisionings.isEmpty,
            listened: Int(listened.components.seconds), scanned: scanned, failure: line.failure?.what)
    }

    @Test("Whatever the module, it ends as a beacon, and is said to have listened only while it did")
    func sweep() async throws {
        let outcomes = try await DedicatedThread.run(name: "listening") {
            Knob.all.filter { if case .provisioned = $0.expectation { true } else { false } }.flatMap { knob in
                Self.scannings.flatMap { scanning in
                    [0, 30].map { crowd in
                        Self.run(knob, scanning, crowd: crowd, "\(knob.testDescription), \(scanning), \(crowd)/s")
                    }
                }
            }
        }
        for outcome in outcomes {
            #expect(outcome.isProvisioned, "\(outcome.name)")
            // A module that resets itself again and again may be given up by its dialogue; the fleet begins another one.
            // One that is silent while it scans and never says so is found out by who doesn't hear it: see `FleetTests`.
            let isDeceitful = outcome.name.hasPrefix("device state always zero, silencesAdvertising")
            #expect(outcome.isRight != isDeceitful || outcome.failure != nil, "\(outcome.name)")
            // Evidence is 10 s old at most, and each second is looked at once.
            #expect(outcome.listened <= outcome.scanned + 25, "\(outcome.name): \(outcome.listened)/\(outcome.scanned)")
        }
        let silent = outcomes.filter { $0.listened == 0 && !$0.name.contains("refused(") }
        print("\(outcomes.count) modules; of these don't listen although they could:")
        for outcome in silent { print("  " + outcome.name) }
        #expect(silent.count < outcomes.count / 5)
        #expect(
            outcomes.filter { $0.name.hasPrefix("as delivered, besideAdvertising") }.allSatisfy { $0.listened > 170 })
        let failed = outcomes.filter { $0.failure != nil }
        #expect(failed.isEmpty, "\(failed.map { $0.name + ": " + ($0.failure ?? "") })")
    }
}
