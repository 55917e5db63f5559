import AsyncAlgorithms
package import BeaconModel
package import GatewayCore
import Glibc
import HCI
import Integrations
package import Logging
package import MQTTBridge
package import Proximity
package import RecordContract
package import RecordOutbox
import ServiceLifecycle
import SystemIO

/// Publishes the gateway's health every 30 s, and when the radio changes or another client takes the session over, but
/// at most once a second.
package struct HealthService: Service {
    package var publisher: MQTTPublisher
    package var outbox: Outbox
    package var gateway: GatewayState
    package var topic: String
    package var boot: UInt64
    package var takeovers: TakeoversFile
    package var logger: Logger
    package var interval: Duration = .seconds(30)
    /// The key that signs health messages; `nil`: they are not signed.
    package var key: SigningKey?
    /// Identifier of the key for phone pseudonyms; `nil` if there is none.
    package var pseudonymKey: String?
    package var signals = SignalsQueue()

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            let timer = AsyncTimerSequence(interval: interval, clock: .continuous).map { _ in }
            var previous = await (reports: gateway.counts.reports, at: ContinuousClock.now)
            for await _ in merge(timer, gateway.radioChanges, publisher.takeoverChanges) {
                // Changes come in groups.
                try? await Task.sleep(for: .seconds(1))
                if Task.isCancelled { return }
                let counts = await gateway.counts
                let now = ContinuousClock.now
                let report = await HealthReport(
                    boot: boot, time: WallClock.now(), hearing: gateway.hearing, radios: gateway.radios,
                    receivers: gateway.receivers,
                    commands: gateway.commands, counts: counts, unpublishable: gateway.unpublishable,
                    reportsSinceLast: counts.reports - previous.reports, interval: now - previous.at,
                    outbox: outbox.status(at: .now()), delivery: publisher.trouble,
                    usage: ProcessUsage.current(), listeners: gateway.listeners, pseudonymKey: pseudonymKey,
                    droppedSignals: signals.dropped)
                previous = (counts.reports, now)
                let encoded = JSON.encode(report)
                await publisher.publishOnce(
                    MQTTMessage(
                        topic: topic,
                        payload: key.map { MessageTag.adding(to: encoded, key: $0, for: .health) } ?? encoded,
                        qualityOfService: .atMostOnce))
                await gateway.setHealth(
                    .init(
                        reportsPerSecond: report.reportsPerSecond, outboxRecords: report.outbox.records,
                        outboxSecondsLeft: report.outbox.secondsLeft))
                await tellTakeovers()
            }
        }
    }

    private func tellTakeovers() async {
        guard let latest = await publisher.takeovers else { return }
        await gateway.setTakeovers(latest)
        do {
            try takeovers.write(latest)
        } catch {
            logger.warning("session takeover not recorded", metadata: .init(describing: error))
        }
    }
}

/// The message published on the `health` topic.
package struct HealthReport: Encodable, Sendable {
    package var boot: UInt64
    package var time: String
    /// `hearing`, `quiet`, `deaf` or `off`.
    package var radio: String
    package var radios: [Radio]
    /// States of the remote receivers; absent where there are none.
    package var ears: [RemoteReceiverReport]?
    /// States of the listening modules; absent where there are none.
    package var listeners: [ModuleReceiverReport]?
    package var commands: CommandAdmission.Counts
    package var reports: UInt64
    package var reportsPerSecond: Double
    var lastReportAgeSeconds: Double?
    /// Reports by kind of advertisement.
    package var kinds: [String: UInt64]
    /// Reports that yielded no sighting, and packets and records that were lost, by reason.
    package var drops: [String: UInt64]
    /// Calibration learned from beacons at known distances; `nil` where there are none.
    package var calibration: Calibration?
    package var outbox: Outbox
    /// Identifier of the key for phone pseudonyms. A consumer that looks for phones needs the same key.
    package var pseudonymKey: String?
    var cpuSeconds: Double
    package var residentBytes: UInt64

    package struct Radio: Encodable, Sendable {
        package var name: String
        package var adapter: String?
        package var path: String?
        package var state: String
        package var reason: String?
        package var error: String?
        /// Number of occurrences of each fault since the start.
        package var faults: [String: UInt64]
        /// Number of times each recovery step was taken.
        package var steps: [String: UInt64]

        package init(_ report: RadioReport) {
            name = report.name
            adapter = report.adapter
            path = report.state?.path.rawValue
            state = (report.state?.condition ?? .starting).rawValue
            reason = report.state?.reason?.rawValue
            error = report.state?.error?.what
            faults = report.state?.faults.byName ?? [:]
            steps = report.state?.steps.byName ?? [:]
        }
    }

    package struct Calibration: Encodable, Sendable {
        /// `off`, `learning`, `applied` or `rolled-back`.
        package var state: String
        /// Excess of each adapter's readings, in dB.
        var receiverOffsets: [String: Double]
        package var exponent: Double
        /// Number of fixed beacons that are heard and whose distance is known.
        package var beacons: Int
        /// Error for beacons that the values were not fitted to: dB RMS, and as a factor of distance.
        package var heldOutError: HeldOutError?
        package var rollbacks: UInt64
        /// Beacons that are probably not where the inventory says.
        package var suspects: [String]

        package struct HeldOutError: Encodable, Sendable {
            package var configured: Double
            package var applied: Double
            package var configuredFactor: Double
            package var appliedFactor: Double
        }

        package init(_ status: AutomaticCalibration.Status) {
            func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
            state = status.state.rawValue
            receiverOffsets = Dictionary(
                uniqueKeysWithValues: status.offsets.map { ($0.key.description, rounded($0.value)) })
            exponent = rounded(status.exponent)
            beacons = status.beaconsUsed
            heldOutError = status.heldOutError.map {
                HeldOutError(
                    configured: rounded($0.configured), applied: rounded($0.applied),
                    configuredFactor: rounded($0.configuredFactor), appliedFactor: rounded($0.appliedFactor))
            }
            rollbacks = status.rollbacks
            suspects = status.suspects.map(\.description)
        }
    }

    /// Contents of the outbox, and how long it can still take records.
    package struct Outbox: Encodable, Sendable {
        package var records: Int
        package var bytes: Int
        package var capacityBytes: Int
        package var oldestAgeSeconds: Double?
        /// Position of the oldest record, from which the consumer learns which gaps are permanent.
        package var oldest: RecordPosition?
        /// Positions of the last record of each of the latest boots, from which the consumer learns what is missing
        /// even if nothing has arrived after it.
        package var last: [RecordPosition]
        /// Time until the outbox is full at the present rate, in seconds; `nil` when nothing comes in.
        package var secondsLeft: Double?
        /// Number of records that the broker has acknowledged and the consumer has not.
        package var waitingForConsumer: Int
        /// Records dropped for lack of room, by kind.
        package var evicted: [String: UInt64]
        /// Number of records dropped for their age.
        package var expired: UInt64
        /// Number of records that the broker will never accept.
        package var refused: UInt64
        /// Number of records found damaged on the disk.
        package var damaged: UInt64
        /// Reason why records are not durable at the moment, or are not accepted by the broker.
        package var trouble: String?

        /// - Parameter delivery: the reason why the broker does not accept what it is offered.
        package init(_ status: OutboxStatus, delivery: String?, at time: Timestamp) {
            records = status.records
            bytes = status.bytes
            capacityBytes = status.capacityBytes
            oldestAgeSeconds = status.oldestEntryAt.map { (max(0, (time - $0).inSeconds) * 10).rounded() / 10 }
            oldest = status.oldest
            last = status.lasts.positions
            secondsLeft = status.secondsLeft.map { $0.rounded() }
            waitingForConsumer = status.waitingForConsumer
            evicted = Dictionary(
                uniqueKeysWithValues: OutboxPriority.allCases.map { ($0.name, status.evicted[$0, default: 0]) })
            expired = status.expired
            refused = status.refused
            damaged = status.damaged
            let troubles = [status.trouble?.text, delivery].compactMap(\.self)
            trouble = troubles.isEmpty ? nil : troubles.joined(separator: "; ")
        }

        /// Encodes missing values as null.
        package func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(records, forKey: .records)
            try container.encode(bytes, forKey: .bytes)
            try container.encode(capacityBytes, forKey: .capacityBytes)
            try container.encode(oldestAgeSeconds, forKey: .oldestAgeSeconds)
            try container.encode(oldest, forKey: .oldest)
            try container.encode(last, forKey: .last)
            try container.encode(secondsLeft, forKey: .secondsLeft)
            try container.encode(waitingForConsumer, forKey: .waitingForConsumer)
            try container.encode(evicted, forKey: .evicted)
            try container.encode(expired, forKey: .expired)
            try container.encode(refused, forKey: .refused)
            try container.encode(damaged, forKey: .damaged)
            try container.encode(trouble, forKey: .trouble)
        }

        private enum CodingKeys: String, CodingKey {
            case records, bytes, capacityBytes, oldestAgeSeconds, oldest, last, secondsLeft, waitingForConsumer,
                evicted,
                expired, refused, damaged, trouble
        }
    }

    package init(
        boot: UInt64, time: Timestamp, hearing: GatewayStatus.Hearing, radios: [RadioReport],
        receivers: [RemoteReceiverReport],
        commands: CommandAdmission.Counts, counts: IngestCounts, unpublishable: UInt64, reportsSinceLast: UInt64,
        interval: Duration, outbox: OutboxStatus, delivery: String?,
        usage: ProcessUsage, listeners: [ModuleReceiverReport] = [], pseudonymKey: String? = nil,
        droppedSignals: UInt64 = 0
    ) {
        self.pseudonymKey = pseudonymKey
        self.boot = boot
        self.time = time.rfc3339
        radio = hearing.rawValue
        self.radios = radios.map { Radio($0) }
        self.ears = receivers.isEmpty ? nil : receivers
        self.listeners = listeners.isEmpty ? nil : listeners
        self.commands = commands
        reports = counts.reports
        reportsPerSecond = (Double(reportsSinceLast) / max(0.1, interval.inSeconds) * 10).rounded() / 10
        lastReportAgeSeconds = counts.lastReportAt.map { (max(0, (time - $0).inSeconds) * 10).rounded() / 10 }
        kinds = counts.byKind
        drops = counts.drops
        drops["unpublishable"] = unpublishable
        drops["signals"] = droppedSignals
        calibration = counts.calibration.map { Calibration($0) }
        self.outbox = Outbox(outbox, delivery: delivery, at: time)
        cpuSeconds = (usage.cpuSeconds * 100).rounded() / 100
        residentBytes = usage.residentBytes
    }
}

extension Dictionary where Key: RawRepresentable<String>, Value == UInt64 {
    fileprivate var byName: [String: UInt64] {
        [String: UInt64](uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) })
    }
}

/// Resource usage of this process.
package struct ProcessUsage: Sendable {
    var cpuSeconds: Double
    package var residentBytes: UInt64

    package static func current() -> ProcessUsage {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        // The second number is the resident set, in pages.
        let memory = (try? FileContents.read("/proc/self/statm", limit: 4096)) ?? []
        let pages = memory.split(separator: UInt8(ascii: " ")).dropFirst().first
            .flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
        return ProcessUsage(
            cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            residentBytes: (pages ?? 0) * UInt64(sysconf(Int32(_SC_PAGESIZE))))
    }
}
