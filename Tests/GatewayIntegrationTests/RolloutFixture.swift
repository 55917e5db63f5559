import BeaconModel
import RecordContract
import SystemIO
import TestSupport

@testable import Gateway

/// A gateway that can be configured from afar: its own file, its key, and what an operator sends.
struct RolloutFixture {
    static let place = Place(site: "s", building: "b", floor: "1", gateway: "g")
    static let topics = Topics(prefix: "beacons", place: place)
    static let root = topics.root

    let directory: TemporaryDirectory
    let key: SigningKey
    /// Path of the gateway's own file.
    let file: String

    init(brokerPort: UInt16, further: String = "") throws {
        directory = try TemporaryDirectory()
        guard let key = SiteKey(secret: Array(0..<32))?.commandKey("s/b/1/g") else { throw NoKey() }
        self.key = key
        let path = try directory.write("commands.key", key.hexadecimal + "\n")
        file = try directory.writeConfiguration(
            brokerPort: brokerPort, uuid: DemoBuilding.badgeUUID,
            further: "[commands]\nkey-file = \"\(path)\"\n[interactions]\nupdate-interval = \"1s\"\n\(further)")
    }

    private struct NoKey: Error {}

    /// Starts the program with a simulated radio.
    func start(environment: [String: String] = [:]) throws -> ChildProcess {
        try ChildProcess(
            BuiltProgram.path("beacon-gateway"), ["run", "--config", file, "--simulated-reports", "20"],
            environment: environment)
    }

    /// A configuration from afar.
    func document(brokerPort: UInt16, room: String = "hall", further: String = "") -> String {
        """
        [place]
        site = "s"
        building = "b"
        floor = "1"
        gateway = "g"
        room = "\(room)"
        [mqtt]
        host = "127.0.0.1"
        port = \(brokerPort)
        [beacons]
        uuids = ["\(DemoBuilding.badgeUUID)"]
        [interactions]
        update-interval = "1s"
        [metrics]
        listen = "off"
        \(further)

        """
    }

    /// Time of a command that a gateway obeys from 1 s after its start on: a command may be 5 s ahead.
    private static var time: Timestamp { WallClock.now() + .seconds(4) }

    /// The signed command `configure`.
    func configure(
        _ document: String, revision: String = "4f2c9a1", trial: Int = 300, correlation: String, key: SigningKey? = nil
    ) throws -> String {
        guard let revision = ConfigurationRevision(revision) else { throw NoKey() }
        let message = ConfigureMessage(
            revision: revision, configuration: document, trial: trial, correlation: correlation, at: Self.time)
        return String(
            decoding: message.encoded(for: Self.topics.command(named: "configure"), key: key ?? self.key), as: UTF8.self
        )
    }

    /// The signed command `confirm`.
    func confirm(_ document: String, correlation: String) -> String {
        let message = ConfirmMessage(
            digest: ConfigurationDigest(of: Array(document.utf8)), correlation: correlation, at: Self.time)
        return String(
            decoding: message.encoded(for: Self.topics.command(named: "confirm"), key: key), as: UTF8.self)
    }

    func send(_ name: String, _ payload: String, by broker: TestBroker) async throws {
        // On standard input: an argument has at most 128 KiB.
        let path = try directory.write("message", payload)
        let result = try await ChildProcess.run(
            "mosquitto_pub",
            [
                "-h", "127.0.0.1", "-p", "\(broker.port)", "-q", "1", "-t", Self.topics.command(named: name), "-f",
                path,
            ])
        guard result.status == 0 else { throw NotSent(output: result.errorOutput) }
    }

    private struct NotSent: Error { var output: [String] }

    func auditActions() -> [String] {
        let bytes = (try? FileContents.read(directory.path + "/audit.jsonl", limit: 1 << 20)) ?? []
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            line.firstMatch(of: #/"action":"([a-z-]+)"/#).map { String($0.1) }
        }
    }
}

extension LineStream {
    /// The next message on the topic `configuration` that satisfies a condition.
    func state(where isWanted: (RolloutState) -> Bool) async -> RolloutState? {
        var found: RolloutState?
        _ = await first { line in
            guard line.contains("/configuration {"), let brace = line.firstIndex(of: "{"),
                let state = RolloutState(Array(line[brace...].utf8)), isWanted(state)
            else { return false }
            found = state
            return true
        }
        return found
    }

    /// The next reply with a correlation.
    func reply(_ correlation: String) async -> String {
        await first { $0.contains("/reply/") && $0.contains(#""correlation":"\#(correlation)""#) } ?? "-"
    }
}
