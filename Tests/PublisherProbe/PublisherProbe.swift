import ArgumentParser
import BeaconModel
import Glibc
import Logging
import MQTTBridge
import Publishing
import RecordContract
import RecordOutbox
import SyntheticRecords
import SystemIO

/// Publishes synthetic records through the gateway's outbox and publisher, and says what has entered the outbox, so that
/// it can be killed at any moment and called to account.
///
/// Lines of standard output, each written at once: "begin BOOT FIRST LAST" before records are given to the outbox,
/// "entered BOOT FIRST LAST" when it has them, "online" whenever a connection was accepted, "acknowledged COUNT
/// MILLISECONDS" about four times a second with the longest time between two acknowledgements so far, "evicted COUNT"
/// and "done OFFERED WAITING" at the end.
@main
struct PublisherProbe: AsyncParsableCommand {
    @Option(help: "Ports of brokers on the loopback interface, the preferred one first.") var port: [UInt16]
    @Option(help: "The file of the outbox; without it, it is in memory.") var outbox: String?
    @Option(help: "How many records.") var count: UInt64 = 1000
    @Option(help: "Records in a second; 0: as fast as it goes.") var rate = 0.0
    @Option(help: "Records that enter the outbox at once.") var batch: UInt64 = 1
    @Option(help: "Topics of the records.") var topics = 10
    @Option(help: "Bytes of a payload.") var size = 1000
    @Option(help: "The run that the records belong to.") var boot: UInt64 = 1
    @Option(help: "Of the MQTT client.") var clientID = "probe"
    @Option(help: "Records that may wait in the outbox before the next ones are made.") var most = 20_000
    @Option(help: "Seconds without an acknowledgement after which it gives up.") var patience = 60
    @Option(help: "The MQTT version: auto, 5, 3.1.1.") var mqtt = "auto"

    mutating func run() async throws {
        var logger = Logger(label: "probe") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        let outbox = try await Outbox.open(
            outbox, rules: OutboxRules(drainRate: 1_000_000), now: .now())
        for finding in outbox.findings { Self.say("finding \(finding.what)") }
        var configuration = BrokerConfiguration(
            endpoints: port.map { BrokerEndpoint(host: "127.0.0.1", port: $0) }, clientID: clientID, keepAlive: 5)
        configuration.connectTimeout = .seconds(5)
        configuration.version = BrokerConfiguration.VersionChoice(rawValue: mqtt) ?? .automatic
        let publisher = MQTTPublisher(
            configuration: configuration, outbox: outbox, backoff: Backoff(longest: .seconds(2)), logger: logger)
        let running = Task { await publisher.run() }
        let entered = LockedValue(0)
        let watching = Task { await Self.watch(outbox, publisher, entered) }
        await offer(to: outbox, entered)
        await publisher.waitUntilDelivered(patience: .seconds(patience))
        let waiting = await publisher.finish(within: .seconds(5))
        await running.value
        watching.cancel()
        await watching.value
        await outbox.close()
        Self.say("done \(count) \(waiting)")
    }

    private func offer(to outbox: Outbox, _ entered: LockedValue<Int>) async {
        let records = SyntheticRecords(boot: boot, topics: topics, size: size)
        let start = ContinuousClock.now
        var next: UInt64 = 1
        while next <= count {
            let last = min(count, next + max(1, batch) - 1)
            if rate > 0 { try? await Task.sleep(until: start + .seconds(Double(next) / rate), clock: .continuous) }
            while await outbox.status(at: .now()).records > most {
                try? await Task.sleep(for: .milliseconds(5))
            }
            Self.say("begin \(boot) \(next) \(last)")
            await outbox.append(records.records(next...last), at: .now())
            Self.say("entered \(boot) \(next) \(last)")
            entered.withLock { $0 += Int(truncatingIfNeeded: last - next + 1) }
            next = last + 1
        }
    }

    /// Says how acknowledgements come. What leaves the outbox in between two looks at it, 2 ms apart, was acknowledged.
    private static func watch(_ outbox: Outbox, _ publisher: MQTTPublisher, _ entered: LockedValue<Int>) async {
        var longest = Duration.zero
        var lastAt = ContinuousClock.now
        var saidAt = lastAt
        var before = 0
        var wasConnected = false
        while true {
            let isConnected = await publisher.isConnected
            if isConnected, !wasConnected { say("online") }
            wasConnected = isConnected
            // Those of an earlier run that waited here aren't counted.
            let count = entered.withLock(\.self) - (await outbox.status(at: .now())).records
            let now = ContinuousClock.now
            if count > before {
                if before > 0 { longest = max(longest, now - lastAt) }
                (before, lastAt) = (count, now)
            }
            if now - saidAt > .milliseconds(250) || Task.isCancelled {
                say("acknowledged \(count) \(longest / .milliseconds(1))")
                saidAt = now
            }
            if Task.isCancelled { break }
            try? await Task.sleep(for: .milliseconds(2))
        }
        let status = await outbox.status(at: .now())
        say("evicted \(status.evicted.values.reduce(0, +) + status.expired + status.refused + status.damaged)")
    }

    private static func say(_ line: String) {
        let line = line + "\n"
        _ = line.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
    }
}
