import BeaconModel
import Glibc
import MQTTBridge
import ServiceLifecycle
import SystemIO

/// Publishes every 30 s how the gateway is.
struct HealthService: Service {
    var publisher: MQTTPublisher
    var board: GatewayBoard
    var topic: String
    var boot: UInt64
    var interval: Duration = .seconds(30)

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var previous = await board.counts.reports
            while true {
                try await Task.sleep(for: interval)
                let counts = await board.counts
                let report = await HealthReport(
                    boot: boot, time: WallClock.now(), scan: board.scan, radioError: board.radioError,
                    counts: counts, unpublishable: board.unpublishable, refused: publisher.refusedRecords,
                    reportsSinceLast: counts.reports - previous, interval: interval,
                    outboxDepth: publisher.outboxDepth, evicted: publisher.evictedRecords,
                    usage: ProcessUsage.current())
                previous = counts.reports
                await publisher.publishOnce(JSON.encode(report), topic: topic)
            }
        }
    }
}

/// What is published on the `health` topic.
struct HealthReport: Encodable, Sendable {
    var boot: UInt64
    var time: String
    var scan: String
    var radioError: String?
    var reports: UInt64
    var reportsPerSecond: Double
    var lastReportAgeSeconds: Double?
    /// Reports that made no sighting, and packets and records that were lost, by reason.
    var drops: [String: UInt64]
    var outbox: Outbox
    var cpuSeconds: Double
    var residentBytes: UInt64

    struct Outbox: Encodable, Sendable {
        var depth: Int
        var evicted: UInt64
    }

    init(
        boot: UInt64, time: Timestamp, scan: String, radioError: String?, counts: IngestCounts,
        unpublishable: UInt64, refused: UInt64,
        reportsSinceLast: UInt64, interval: Duration, outboxDepth: Int, evicted: UInt64, usage: ProcessUsage
    ) {
        self.boot = boot
        self.time = time.rfc3339
        self.scan = scan
        self.radioError = radioError
        reports = counts.reports
        reportsPerSecond = (Double(reportsSinceLast) / interval.inSeconds * 10).rounded() / 10
        lastReportAgeSeconds = counts.lastReportAt.map { (max(0, (time - $0).inSeconds) * 10).rounded() / 10 }
        drops = counts.defects
        drops["unknown"] = counts.unknown
        drops["unlisted"] = counts.unlisted
        drops["table-full"] = counts.refused
        drops["too-slow"] = counts.droppedPackets
        drops["unpublishable"] = unpublishable
        drops["refused-by-client"] = refused
        outbox = Outbox(depth: outboxDepth, evicted: evicted)
        cpuSeconds = (usage.cpuSeconds * 100).rounded() / 100
        residentBytes = usage.residentBytes
    }
}

/// What this process has used of the machine.
struct ProcessUsage: Sendable {
    var cpuSeconds: Double
    var residentBytes: UInt64

    static func current() -> ProcessUsage {
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
