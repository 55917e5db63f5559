import BeaconModel
import RecordContract
import TestValues
import Testing

@testable import GatewayCore

@Suite struct RolloutStartTests {
    private static let noon = RolloutFixture.noon
    private let candidate: RolloutDocument
    private let former: RolloutDocument

    init() throws {
        candidate = try RolloutFixture.document("candidate = 1\n", revision: "new")
        former = try RolloutFixture.document("former = 1\n", revision: "old")
    }

    /// The files of a record, with the documents.
    private func files(_ record: RolloutRecord?, _ documents: RolloutDocument...) -> [String: [UInt8]] {
        var files = Dictionary(
            uniqueKeysWithValues: documents.map { (RolloutFiles.document($0.version.digest), Array($0.text.utf8)) })
        files[RolloutFiles.record] = record?.encoded
        return files
    }

    private func start(_ files: [String: [UInt8]], isAllowed: Bool = true, after: Duration = .zero) -> RolloutStart {
        RolloutStart(isAllowed: isAllowed, at: Self.noon + after) { files[$0] }
    }

    @Test func `Without a record the gateway's own file is in use`() {
        let start = start([:])
        #expect(start.record.phase == .local && !start.isChanged && start.problem == nil)
    }

    @Test func `The first start with a candidate begins its time`() {
        let start = start(files(RolloutFixture.trial(of: candidate), candidate), after: .seconds(5))
        #expect(
            start.record
                == RolloutFixture.trial(of: candidate, starts: 1, startedAt: Self.noon + .seconds(5)))
        #expect(start.isChanged)
    }

    @Test func `A second start goes on with the time of the first, and a third returns`() {
        let once = RolloutFixture.trial(of: candidate, previous: former.version, starts: 1, startedAt: Self.noon)
        let second = start(files(once, candidate, former), after: .seconds(20))
        #expect(
            second.record
                == RolloutFixture.trial(of: candidate, previous: former.version, starts: 2, startedAt: Self.noon))
        let third = start(files(second.record, candidate, former), after: .seconds(30))
        #expect(
            third.record.phase
                == .returned(
                    to: former.version, from: candidate.version,
                    reason: "the program ended 2 times during the trial"))
        #expect(third.isChanged)
    }

    @Test func `A start after the end of the trial returns, however it was missed`() {
        let record = RolloutFixture.trial(of: candidate, starts: 1, startedAt: Self.noon)
        let start = start(files(record, candidate), after: .seconds(60))
        #expect(
            start.record.phase
                == .returned(to: nil, from: candidate.version, reason: "it was not confirmed within 60 s"))
    }

    @Test func `A clock that was set back gives a trial no more than its whole time`() {
        let trial = RolloutTrial(
            candidate: candidate.version, previous: nil, seconds: 60, starts: 1, startedAt: Self.noon)
        #expect(trial.left(at: Self.noon + .seconds(-86_400)) == .seconds(60))
        #expect(trial.left(at: Self.noon + .seconds(25)) == .seconds(35))
    }

    @Test func `A gateway that may not be configured from afar uses its own file, and forgets the rest`() {
        let start = start(
            files(RolloutRecord(phase: .accepted(former.version), since: Self.noon), former), isAllowed: false)
        #expect(start.record.phase == .local && start.isChanged)
    }

    @Test(
        "A damaged record leads to the last accepted configuration",
        arguments: ["", "{", #"{"format":2}"#, #"{"format":1,"state":"trial","since":"2026-01-01T00:00:00.000Z"}"#])
    func damaged(contents: String) {
        var files = files(nil, former)
        files[RolloutFiles.record] = Array(contents.utf8)
        files[RolloutFiles.accepted] = JSON.encode(former.version)
        let found = start(files)
        #expect(found.record.phase == .accepted(former.version))
        #expect(found.problem?.contains("rollout.json, is damaged") == true)
        files[RolloutFiles.document(former.version.digest)] = Array("altered".utf8)
        let own = start(files)
        #expect(own.record.phase == .local)
        #expect(own.problem?.contains("the gateway's own file") == true)
    }

    @Test func `A candidate that is damaged on disk is not tried`() {
        var files = files(RolloutFixture.trial(of: candidate, previous: former.version), candidate, former)
        files[RolloutFiles.document(candidate.version.digest)] = Array("candidate = 2\n".utf8)
        #expect(start(files).record.phase.inUse == former.version)
        files[RolloutFiles.document(former.version.digest)] = nil
        #expect(start(files).record.phase.inUse == nil)
    }

    @Test func `An accepted configuration without its file gives way to the own file, until the file is back`() {
        let record = RolloutRecord(phase: .accepted(former.version), since: Self.noon)
        let start = start(files(record))
        #expect(start.record.phase.inUse == nil && start.problem != nil)
        #expect(!start.isChanged)
    }

    @Test func `A candidate that cannot be used is left for good`() throws {
        let record = RolloutFixture.trial(of: candidate, previous: former.version, starts: 1, startedAt: Self.noon)
        let next = try #require(RolloutStart.leaving(record, because: "no file", at: Self.noon))
        #expect(
            next.record.phase == .returned(to: former.version, from: candidate.version, reason: "no file"))
        #expect(next.isChanged)
    }

    @Test func `An accepted configuration that cannot be used is tried again at the next start`() throws {
        let accepted = RolloutRecord(phase: .accepted(former.version), since: Self.noon)
        let returned = RolloutRecord(
            phase: .returned(to: former.version, from: candidate.version, reason: "why"), since: Self.noon)
        for record in [accepted, returned] {
            let next = try #require(RolloutStart.leaving(record, because: "no file", at: Self.noon))
            #expect(next.record.phase == .returned(to: nil, from: former.version, reason: "no file"))
            #expect(!next.isChanged)
        }
    }

    @Test func `The gateway's own file is not left`() {
        for phase in [RolloutPhase.local, .returned(to: nil, from: candidate.version, reason: "why")] {
            let record = RolloutRecord(phase: phase, since: Self.noon)
            #expect(RolloutStart.leaving(record, because: "no file", at: Self.noon) == nil)
        }
    }

    @Test func `A long reason is cut, so that the record can be read again`() throws {
        let record = RolloutFixture.trial(of: candidate)
        let reason = String(repeating: "x", count: 100_000)
        let next = try #require(RolloutStart.leaving(record, because: reason, at: Self.noon))
        #expect(RolloutRecord(next.record.encoded) == next.record)
    }

    @Test func `Every record is read as it was written, and its beginnings are damaged`() {
        for phase in [
            RolloutPhase.local, .accepted(former.version),
            .returned(to: nil, from: candidate.version, reason: "why"),
            .returned(to: former.version, from: candidate.version, reason: "\"\n\u{1B}"),
        ] {
            let record = RolloutRecord(phase: phase, since: Self.noon)
            #expect(RolloutRecord(record.encoded) == record)
        }
        let trial = RolloutFixture.trial(of: candidate, previous: former.version, starts: 2, startedAt: Self.noon)
        #expect(RolloutRecord(trial.encoded) == trial)
        for count in 0..<(trial.encoded.count - 1) { #expect(RolloutRecord(Array(trial.encoded.prefix(count))) == nil) }
        #expect(RolloutRecord([UInt8](repeating: 0x20, count: RolloutRecord.longest + 1)) == nil)
    }

    // MARK: Power cuts

    /// A disk that keeps the writes before a power cut.
    private struct Disk {
        var files: [String: [UInt8]] = [:]
        /// Writes until the power is cut; `nil`: it is not.
        var left: Int?

        mutating func carryOut(_ outputs: [RolloutMachine.Output]) -> Bool {
            for case .write(let name, let contents) in outputs where !write(name, contents) { return false }
            return true
        }

        mutating func write(_ name: String, _ contents: [UInt8]) -> Bool {
            if left == 0 { return false }
            left = left.map { $0 - 1 }
            files[name] = contents
            return true
        }
    }

    @Test func `After a power cut at any write the gateway starts, with what was settled or what is on trial`() throws {
        var generator = SeededGenerator("power cuts in a rollout")
        let documents = try (0..<4).map { try RolloutFixture.document("n = \($0)\n", revision: "r\($0)") }
        for _ in 0..<400 {
            var disk = Disk()
            var now = Self.noon
            /// What may be in use after a start: the last settled configuration, and the candidates since.
            var settled: RolloutVersion?
            var candidate: RolloutVersion?
            for _ in 0..<12 {
                disk.left = Bool.random(using: &generator) ? Int.random(in: 0...3, using: &generator) : nil
                let files = disk.files
                let start = RolloutStart(isAllowed: true, at: now) { files[$0] }
                #expect(start.problem == nil, generator.comment)
                let inUse = start.record.phase.inUse
                #expect(inUse == settled || inUse == candidate, generator.comment)
                if let inUse {
                    let text = disk.files[RolloutFiles.document(inUse.digest)]
                    #expect(text.map { ConfigurationDigest(of: $0) } == inUse.digest, generator.comment)
                }
                if start.isChanged, !disk.write(RolloutFiles.record, start.record.encoded) { continue }
                var machine = RolloutMachine(record: start.record)
                if case .returned(let to, _, _) = start.record.phase { (settled, candidate) = (to, nil) }
                now = now + .seconds(Int.random(in: 1...70, using: &generator))
                switch Int.random(in: 0..<3, using: &generator) {
                case 0:
                    let document = try documents.randomElement(using: &generator).orThrow
                    let outputs = machine.handle(.configure(document, seconds: 60), at: now)
                    if case .trial(let trial) = machine.record.phase { candidate = trial.candidate }
                    if case .accepted(let version) = machine.record.phase { settled = version }
                    _ = disk.carryOut(outputs)
                case 1:
                    guard case .trial(let trial) = start.record.phase else { continue }
                    let isWritten = disk.carryOut(machine.handle(.confirm(trial.candidate.digest), at: now))
                    if isWritten { (settled, candidate) = (trial.candidate, nil) }
                default:
                    if disk.carryOut(machine.handle(.timeIsUp, at: now)),
                        case .returned(let to, _, _) = machine.record.phase
                    {
                        (settled, candidate) = (to, nil)
                    }
                }
            }
        }
    }
}
