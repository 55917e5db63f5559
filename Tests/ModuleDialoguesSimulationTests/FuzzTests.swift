import BeaconModel
import Glibc
import ModuleEmulator
import SystemIO
import TestValues
import Testing

@testable import ModuleDialogues
@testable import ModuleDialoguesTests

/// Nothing that comes over a serial line makes a dialogue trap, send what it shouldn't, or claim what isn't so.
///
/// A failure names the seed of its input.
@Suite(.timeLimit(.minutes(60))) struct FuzzTests {
    private static let inputs = UInt64(TestScale.amount(300, full: 20_000))
    /// Of the first input: the same every day, another one at each full run, or the one to repeat.
    private static let seed =
        TestScale.isFull || getenv("BEACON_TEST_SEED") != nil ? SeededGenerator("fuzz").seed : 1

    private static let wanted = BeaconConfiguration(
        beacon: BeaconID(uuid: ProximityUUID(bits: 7), major: 1, minor: 2), measuredPower: -59)

    struct Subject: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var fuzz: @Sendable (Subject, [[UInt8]], _ seed: UInt64) -> String?
        /// What a good module says to it, in pieces.
        var transcript: @Sendable () -> [[UInt8]]
        var isAllowed: @Sendable (String) -> Bool

        static let all: [Subject] = [
            Subject(
                testDescription: "RS9116", fuzz: { round($0, .rs9116, $1, seed: $2) }, transcript: rs9116Transcript,
                isAllowed: { ["|", "\u{1C}", "U", "1"].contains($0) || $0.hasPrefix("at+rsi") }),
            Subject(
                testDescription: "RS9116 as a receiver", fuzz: roundOfReceiver, transcript: rs9116Transcript,
                isAllowed: { ["|", "\u{1C}", "U", "1"].contains($0) || $0.hasPrefix("at+rsi") }),
            Subject(
                testDescription: "HM-10", fuzz: { round($0, .hm10, $1, seed: $2) }, transcript: hm10Transcript,
                isAllowed: { $0.hasPrefix("AT") }),
        ]

        @Sendable private static func rs9116Transcript() -> [[UInt8]] {
            var options = RS9116Emulator.Options()
            options.eventBeforeOK = true
            return heard(RS9116Emulator(options: options), .rs9116)
        }

        @Sendable private static func hm10Transcript() -> [[UInt8]] { heard(HM10Emulator(), .hm10) }

        private static func heard(_ module: any EmulatedFirmware, _ kind: ModuleKind) -> [[UInt8]] {
            var line = EmulatedSerialLine(module, kind: kind, assignment: wanted)
            line.run()
            return line.heard
        }
    }

    @Test("Random bytes and damaged transcripts do no harm", arguments: Subject.all)
    func fuzz(subject: Subject) async throws {
        let (inputs, seed) = (Self.inputs, Self.seed)
        let complaint = try await DedicatedThread.run(name: "fuzz") {
            let transcript = subject.transcript()
            for round in 0..<inputs {
                if let complaint = subject.fuzz(subject, transcript, seed &+ round) { return complaint }
            }
            return ""
        }
        print("fuzz: \(subject.testDescription), \(inputs) inputs from seed \(seed)")
        #expect(complaint == "")
    }

    private static func round(
        _ subject: Subject, _ kind: ModuleKind, _ transcript: [[UInt8]], seed: UInt64
    ) -> String? {
        round(
            subject, TimedModuleDialogue(kind.dialogue()), transcript, seed: seed,
            inputs: [.check, .provisionAgain, .identify, .opened, .assigned(wanted)]
        ) { event, generator in
            guard case .changed(.identified) = event else { return nil }
            return .assigned(Bool.random(using: &generator) ? wanted : nil)
        }
    }

    @Sendable private static func roundOfReceiver(
        _ subject: Subject, _ transcript: [[UInt8]], seed: UInt64
    ) -> String? {
        round(
            subject, TimedDialogue(RS9116ReceiverDialogue()), transcript, seed: seed,
            inputs: [.request(.check), .request(.stop), .opened]
        ) { _, _ in nil }
    }

    /// - Parameters:
    ///   - inputs: what it is told besides.
    ///   - answer: what it is told to its outputs.
    /// - Returns: what is wrong.
    private static func round<Request, Output>(
        _ subject: Subject, _ dialogue: TimedDialogue<Request, Output>, _ transcript: [[UInt8]], seed: UInt64,
        inputs: [LineInput<Request>], answer: (Output, inout SeededGenerator) -> LineInput<Request>?
    ) -> String? {
        var generator = SeededGenerator(seed: seed)
        var dialogue = dialogue
        var now = Duration.zero
        var pieces = transcript[...]
        var actions = dialogue.handle(.opened, now: now)
        for _ in 0..<400 {
            for action in actions {
                if case .line(.send(let bytes)) = action, !subject.isAllowed(String(decoding: bytes, as: UTF8.self)) {
                    return "seed \(seed): sent \(bytes)"
                }
                if case .output(let output) = action, let input = answer(output, &generator) {
                    actions += dialogue.handle(input, now: now)
                }
            }
            if dialogue.isOver { return nil }
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<6:
                var piece = pieces.popFirst() ?? transcript.randomElement(using: &generator) ?? []
                damage(&piece, &generator)
                actions = dialogue.handle(.bytes(piece), now: now)
            case 6:
                let noise = (0..<Int.random(in: 0..<64, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
                actions = dialogue.handle(.bytes(noise), now: now)
            case 7:
                actions = dialogue.handle(inputs.randomElement(using: &generator) ?? .opened, now: now)
            default:
                guard let deadline = dialogue.nextDeadline else { return "seed \(seed): waits for ever" }
                now = max(now, deadline)
                actions = dialogue.advance(to: now)
            }
        }
        return nil
    }

    private static func damage(_ piece: inout [UInt8], _ generator: inout SeededGenerator) {
        guard Int.random(in: 0..<3, using: &generator) == 0, !piece.isEmpty else { return }
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let index = Int.random(in: 0..<piece.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: piece[index] = UInt8.random(in: 0...255, using: &generator)
            case 1: piece.insert(UInt8.random(in: 0...255, using: &generator), at: index)
            case 2: piece.remove(at: index)
            case 3: piece += piece[index...]
            default: piece.removeSubrange(index...)
            }
            if piece.isEmpty { return }
        }
    }
}
