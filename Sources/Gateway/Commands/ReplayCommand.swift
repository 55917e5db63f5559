import ArgumentParser
import BeaconModel
import BlueZScanner
import CommandSupport
import Diagnostics
package import GatewayCore
import GatewayDaemon
import HCI
import Logging
import MQTTBridge
import ModuleDialogues
import OperatorText
import Proximity
import Publishing
import RecordContract
import RecordOutbox
import SystemIO

struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Replays a capture and prints or publishes the records.",
        discussion: """
            The same file with the same configuration gives the same records, byte for byte; times are those of the \
            capture.
            Without --config every beacon is tracked. With it, only the UUIDs listed there are tracked, as by `run`.
            """)

    @Argument(help: ArgumentHelp("A btsnoop capture: HCI H4 or Linux monitor format.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The gateway's configuration.", valueName: "file"))
    var config: String?

    @Flag(help: "Publish to the broker of the configuration instead of printing.")
    var publish = false

    func validate() throws {
        if publish, config == nil { throw ValidationError("--publish requires --config, which names the broker.") }
    }

    func run() async throws {
        try await Terminal.run {
            let secrets = ConfigurationFile.secrets(
                for: publish ? [.brokerTLS, .brokerPassword, .phones, .signing] : [.phones, .signing])
            let configuration = try config.map { try Configuration.load($0, secrets: secrets) } ?? .anywhere
            let audience = Audience(
                listedUUIDs: config == nil ? nil : configuration.listedUUIDs,
                includesPhones: configuration.pseudonymSecret != nil)
            var replay = Replay(configuration: configuration, audience: audience)
            let source = try BTSnoopFile(path: file)
            if publish {
                try await send(source, &replay, configuration)
            } else {
                try pass(source, &replay) { records in
                    for record in records {
                        let encoded = record.encoded(historical: false)
                        try Terminal.print(
                            configuration.signingKey.map { MessageTag.adding(to: encoded, key: $0, for: .record) }
                                ?? encoded)
                    }
                }
            }
        }
    }

    /// Replays the capture, and prints its summary however the replay ends.
    private func pass(
        _ source: consuming BTSnoopFile, _ replay: inout Replay, _ deliver: ([Record]) throws -> Void
    ) throws {
        defer { Terminal.note(replay.summary) }
        try replay.run(source, deliver)
    }

    private func send(
        _ source: consuming BTSnoopFile, _ replay: inout Replay, _ configuration: Configuration
    ) async throws {
        var records: [Record] = []
        var damage: CaptureError?
        do {
            try pass(source, &replay) { records += $0 }
        } catch let error as CaptureError {
            damage = error
        }
        guard !records.isEmpty else {
            Terminal.note("no records to publish")
            if let damage { throw damage }
            return
        }
        // A separate client beside the gateway, whose connection and status it leaves alone.
        var broker = configuration.broker
        broker.clientID += "_replay"
        // Records that are not delivered now are still in the capture.
        let rules = OutboxRules(bytes: .max, age: .seconds(365 * 86_400), drainRate: .greatestFiniteMagnitude)
        let outbox = try await Outbox.open(nil, rules: rules, now: .now())
        let publisher = MQTTPublisher(
            configuration: broker, outbox: outbox, signer: configuration.signingKey,
            logger: makeLogger(level: .warning))
        let undelivered = await withTaskGroup(of: Int?.self) { group in
            group.addTask {
                await publisher.run()
                return nil
            }
            group.addTask { [records] in
                await publisher.publish(records)
                await publisher.waitUntilDelivered(patience: .seconds(30))
                return await publisher.finish(within: .seconds(5))
            }
            return await group.reduce(into: 0) { $0 += $1 ?? 0 }
        }
        if undelivered > 0 {
            throw Undelivered(count: undelivered, broker: configuration.broker, cause: await publisher.lastError)
        }
        Terminal.note("\(records.count) records published")
        if let damage { throw damage }
    }
}

/// Error when the broker did not acknowledge all records.
private struct Undelivered: OperatorError {
    var count: Int
    var broker: BrokerConfiguration
    var cause: MQTTError?

    var what: String { "\(count) records were not acknowledged by \(broker.preferred)" }
    var meaning: String? { cause?.what }
    var remedy: String? { "check that the broker is running, then repeat the command: the records keep their ids" }
    var exitStatus: ExitStatus { .unavailable }
}

/// Replay of a capture through the gateway's processing.
struct Replay {
    private let configuration: Configuration
    private let audience: Audience
    /// Time in seconds at which the capture begins. It gives records of different captures different ids.
    private(set) var boot: UInt64 = 0
    private var core: RadioCore?
    /// Time of the capture. It belonged to another machine's clock.
    private var now = RadioTime(elapsed: .zero, wall: .epoch, isSynchronized: false)
    private var outputs: [RadioOutput] = []

    init(configuration: Configuration, audience: Audience) {
        self.configuration = configuration
        self.audience = audience
    }

    /// Replays a capture.
    ///
    /// - Throws: `CaptureError` at a damaged record, after everything before it was processed; errors of `deliver`.
    mutating func run(_ source: consuming BTSnoopFile, _ deliver: ([Record]) throws -> Void) throws {
        var damage: CaptureError?
        while damage == nil {
            let batch: HCIPacketBatch?
            do throws(CaptureError) {
                batch = try source.next(limit: 256)
            } catch {
                batch = nil
                damage = error
            }
            guard let batch else { break }
            if core == nil { start(at: batch.firstTime ?? .epoch) }
            now.wall = batch.lastTime ?? now.wall
            try deliver(records(of: .packets(batch, source: 0)))
        }
        try deliver(records(of: .captureEnded))
        if let damage { throw damage }
    }

    private mutating func start(at time: Timestamp) {
        boot = UInt64(time.microseconds / 1_000_000)
        core = RadioCore(configuration, audience: audience, boot: boot, adapters: ["capture"])
    }

    private mutating func records(of input: RadioInput) -> [Record] {
        outputs.removeAll(keepingCapacity: true)
        core?.handle(input, now: now, into: &outputs)
        return outputs.flatMap(\.records)
    }

    /// Summary of what was received, for the terminal.
    var summary: String {
        let counts = core?.counts ?? IngestCounts()
        var lines = [
            "\(counts.reports) reports: "
                + (counts.kinds.present.map { "\($0.count) \($0.kind.label)" } + ["\(counts.unknown) of no known kind"])
                .joined(separator: ", ")
        ]
        if counts.unlisted > 0 {
            lines.append(
                "\(counts.unlisted) of them skipped: UUID not in beacons.uuids, or phones without a pseudonym key")
        }
        if counts.refusals.tableFull > 0 {
            lines.append(
                "\(counts.refusals.tableFull) of them skipped: more subjects at once than interactions.capacity")
        }
        let strangers = counts.refusals.unconfirmed + counts.refusals.newInteractionRate
        if strangers > 0 {
            lines.append("\(strangers) of them skipped: unlisted devices in a flood of new identities")
        }
        if counts.refusals.strays > 0 {
            lines.append("\(counts.refusals.strays) of them skipped: single packets of subjects that had just departed")
        }
        let defects = counts.defects.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        if !defects.isEmpty { lines.append("malformed: " + defects.joined(separator: ", ")) }
        return lines.joined(separator: "\n")
    }
}

extension Configuration {
    /// Configuration for a capture without one: a placeholder place, and all subjects tracked.
    package static let anywhere: Configuration = {
        let none = BeaconID(uuid: ProximityUUID(bits: 0), major: 0, minor: 0)
        var rules = InteractionRules()
        rules.readingsInterval = ReadingsSettings.defaultInterval
        let place = Place(site: "replay", building: "replay", floor: "replay", gateway: "replay", beacon: none)
        return Configuration(
            place: place, topicPrefix: "beacons",
            broker: BrokerConfiguration(host: "localhost", port: 1883, clientID: "replay"), outbox: OutboxRules(),
            adapters: [.index(Adapter(index: 0))], listedUUIDs: [],
            // Nothing leaves the machine, so the pseudonyms need not be secret, only reproducible.
            pseudonymSecret: Array("replay without configuration".utf8), rules: rules,
            inventory: Inventory(),
            stateDirectory: defaultStateDirectory)
    }()
}
