import FoundationEssentials
import Glibc
import SystemIO
import TestSupport
import TestValues
import Testing

/// What the gateway makes of the captures in `Golden`, beside the records that are checked in. Each capture is a recording
/// of the scenario of its name on the virtual radio; `scripts/golden.sh` writes both anew.
@Suite(.timeLimit(.minutes(10))) struct GoldenReplayTests {
    static let directory = Repository.root + "/Tests/GatewayTests/Golden"

    /// Who is in each capture, by kind or minor number, and how each of their interactions ends.
    static let ends: [String: [String: [String]]] = [
        "crowd": ["1": ["shutdown"]],
        "losses": ["1": ["shutdown"], "2": ["shutdown"], "3": ["shutdown"], "exposure-notification": ["shutdown"]],
        "pair": ["6": ["shutdown"], "7": ["departed"]],
        "passing": ["4": ["departed"], "5": ["shutdown"]],
        "stay": ["8": ["departed"]],
        "visit": ["1": ["departed"]],
    ]
    static let names: [String] = ends.keys.sorted()

    private func replay(_ name: String) async throws -> [String] {
        // Git keeps no permissions but that to execute, and a key that everybody may read is refused.
        try #require(chmod(Self.directory + "/pseudonym.key", 0o600) == 0)
        // The configuration names its key by a path that begins at the working directory.
        let result = try await ChildProcess.run(
            "sh",
            [
                "-c", "cd \"$0\" && exec \"$1\" replay \"$2\" --config gateway.toml", Self.directory,
                BuiltProgram.path("beacon-gateway"), name + ".btsnoop",
            ])
        try #require(result.status == 0, "\(result.errorOutput)")
        return result.output
    }

    private func expected(_ name: String) throws -> [String] {
        let bytes = try FileContents.read(Self.directory + "/\(name).jsonl", limit: 1_000_000)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("A capture gives the records that are checked in", arguments: names)
    func golden(name: String) async throws {
        let difference = RecordDifference(expected: try expected(name), found: try await replay(name), in: name)
        #expect(difference == nil, "\(difference?.description ?? "")")
    }

    @Test("A capture that is replayed twice gives the same bytes", arguments: names)
    func twice(name: String) async throws {
        let first = try await replay(name)
        let second = try await replay(name)
        #expect(!first.isEmpty)
        #expect(first == second)
    }

    @Test("Every scenario has a capture and records, and every capture a scenario")
    func files() async throws {
        let found = try await ChildProcess.run("ls", [Self.directory]).output
        let wanted = Self.names.flatMap { name in ["btsnoop", "jsonl", "txt"].map { "\(name).\($0)" } }
        #expect(Set(found) == Set(wanted + ["gateway.toml", "pseudonym.key"]))
    }

    @Test("Two badges side by side make one alert, which ends when one of them has left")
    func socialDistance() async throws {
        let alerts = try await replay("pair").filter { GoldenRecord.isAlert($0) }
        #expect(alerts.count == 2)
        #expect(alerts.first?.contains(#""type":"social-distance.started""#) == true)
        #expect(alerts.last?.contains(#""endReason":"departed""#) == true)
        for name in Self.names where name != "pair" {
            #expect(try await !replay(name).contains { GoldenRecord.isAlert($0) }, "\(name)")
        }
    }

    @Test("Nobody's interaction is torn into several, and only those who leave have departed", arguments: names)
    func interactions(name: String) async throws {
        let records = try GoldenRecord.read(try await replay(name))
        let ended = Dictionary(grouping: records.filter { $0.kind == "ended" }, by: \.who)
        #expect(ended.mapValues { $0.compactMap(\.data.endReason) } == Self.ends[name])
        #expect(records.count { $0.kind == "started" } == ended.count)
    }

    @Test(
        "Every record is well-formed: times in order, no more samples than reports, bounds around values",
        arguments: names)
    func wellFormed(name: String) async throws {
        let lines = try await replay(name)
        let records = try GoldenRecord.read(lines)
        for (record, line) in zip(records, lines.filter { GoldenRecord.isInteraction($0) }) {
            #expect(record.defects == [], "\(line)")
        }
        let numbered = try GoldenRecord.numbers(lines)
        #expect(numbered.map(\.data.sequence) == (1...UInt64(lines.count)).map { $0 }, "numbered without gaps")
        #expect(numbered.map(\.time) == numbered.map(\.time).sorted())
        for (interaction, parts) in Dictionary(grouping: records, by: \.data.interaction) {
            #expect(parts.first?.kind == "started", "\(interaction)")
            #expect(parts.last?.kind == "ended", "\(interaction)")
            #expect(parts.count { $0.kind == "ended" } == 1, "\(interaction)")
            #expect(parts.map(\.data.samples) == parts.map(\.data.samples).sorted(), "\(interaction)")
            let minutes = parts.map(\.data.expectedMinutesWithin.threeMetres)
            #expect(minutes == minutes.sorted(), "\(interaction)")
        }
        // A packet of the monitor format is one report here, of which only the subject's are samples.
        let samples = records.filter { $0.kind == "ended" }.map(\.data.samples).reduce(0, +)
        #expect(samples <= UInt64(try await reports(of: name)))
    }

    @Test(
        "Readings count every advertisement of an interaction once, in minutes that follow each other",
        arguments: names)
    func readings(name: String) async throws {
        let lines = try await replay(name)
        let readings = try GoldenRecord.Readings.read(lines)
        let counts = Dictionary(readings.flatMap(\.counts).map { ($0.who, $0.count) }, uniquingKeysWith: +)
        let ended = try GoldenRecord.read(lines).filter { $0.kind == "ended" }
        #expect(
            counts == Dictionary(ended.map { ($0.who, $0.data.samples) }, uniquingKeysWith: +))
        let minutes = readings.map(\.data.startedAt)
        #expect(minutes == Set(minutes).sorted())
        #expect(minutes.allSatisfy { $0.hasSuffix(":00.000Z") })
        #expect(readings.dropFirst().dropLast().allSatisfy { $0.data.listenedSeconds > 50 })
    }

    private func reports(of name: String) async throws -> Int {
        try await ChildProcess.run(
            BuiltProgram.path("beacon-gateway"),
            ["scan", "--all", "--replay", Self.directory + "/\(name).btsnoop"]
        ).output.count
    }
}
