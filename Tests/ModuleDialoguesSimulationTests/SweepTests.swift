import Advertisement
import BeaconModel
import ModuleEmulator
import SystemIO
import Testing

@testable import ModuleDialogues
@testable import ModuleDialoguesTests

/// Every knob, and every pair of knobs: the driver ends with the right bytes on the air or with one of its errors, in
/// time, and never says what isn't so.
@Suite struct SweepTests {
    private static let wanted = BeaconConfiguration(
        beacon: BeaconID(
            uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 1, minor: 2),
        measuredPower: -59)
    private static let data = IBeacon.advertisingData(wanted.beacon, measuredPower: -59)

    private struct Outcome {
        var name: String
        var line: EmulatedSerialLine
        /// How often firmware was started, or found running.
        var attempts: Int {
            line.steps.count { if case .firmwareVersion = $0 { true } else { false } }
        }
        var isRight: Bool {
            line.air.advertising && line.air.data == SweepTests.data && line.air.intervalUnits == 160
        }
        var isProvisioned: Bool { !line.provisionings.isEmpty }
        var text: String { line.failure?.what ?? (isProvisioned ? "provisioned" : "NEITHER") }
    }

    private static func run(_ knobs: [Knob]) -> Outcome {
        var options = RS9116Emulator.Options()
        for knob in knobs { knob.change(&options) }
        var line = EmulatedSerialLine(RS9116Emulator(options: options), assignment: wanted)
        line.run()
        return Outcome(name: knobs.map(\.testDescription).joined(separator: " + "), line: line)
    }

    @Test("Each knob alone ends as it should")
    func singles() {
        var table = [["knob", "outcome", "attempts", "seconds"]]
        for knob in Knob.all {
            let outcome = Self.run([knob])
            let seconds = (outcome.line.now.inSeconds * 10).rounded() / 10
            table.append([outcome.name, String(outcome.text.prefix(60)), "\(outcome.attempts)", "\(seconds)"])
            switch knob.expectation {
            case .provisioned: #expect(outcome.isProvisioned && outcome.isRight, "\(knob): \(outcome.text)")
            case .fails(let isExpected):
                #expect(isExpected(outcome.line.failure?.what ?? ""), "\(knob): \(outcome.text)")
                #expect(!outcome.isRight, "\(knob)")
            }
            #expect(outcome.line.now <= TimedModuleDialogue.defaultLimit, "\(knob) took \(outcome.line.now)")
        }
        print(Self.aligned(table))
    }

    @Test("Each pair of knobs ends in time, with the truth")
    func pairs() async throws {
        let outcomes = try await DedicatedThread.run(name: "sweep") {
            var failures: [String] = []
            var errors: [String: Int] = [:]
            var count = 0
            var longest = Duration.zero
            for (index, first) in Knob.all.enumerated() {
                for second in Knob.all[(index + 1)...] {
                    let outcome = Self.run([first, second])
                    count += 1
                    longest = max(longest, outcome.line.now)
                    if outcome.isProvisioned, !outcome.isRight { failures.append("lies: \(outcome.name)") }
                    if !outcome.isProvisioned, outcome.line.failure == nil {
                        failures.append("no end: \(outcome.name)")
                    }
                    if outcome.line.now > TimedModuleDialogue.defaultLimit {
                        failures.append("took \(outcome.line.now): \(outcome.name)")
                    }
                    if case .provisioned = first.expectation, case .provisioned = second.expectation,
                        !outcome.isProvisioned
                    {
                        errors["\(outcome.name): \(outcome.text)", default: 0] += 1
                    }
                }
            }
            return (failures, errors, count, longest)
        }
        let (failures, errors, count, longest) = outcomes
        print(
            "\(count) pairs, the longest took \(longest.inSeconds) s; not provisioned although each knob alone would be:"
        )
        for error in errors.keys.sorted() { print("  " + error) }
        #expect(failures == [])
    }

    private static func aligned(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.indices.map { row[$0] + String(repeating: " ", count: widths[$0] - row[$0].count) }
                .joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
