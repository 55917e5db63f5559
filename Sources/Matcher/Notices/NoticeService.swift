import BeaconModel
import InteractionStore
import Logging
import MQTTBridge
import Matching
import ServiceLifecycle
import SystemIO

/// Matches reports again and again while they matter, tells subjects what follows, and fills the list of positives.
struct NoticeService: NamedService {
    var store: SharedStore
    var matching: ReportMatching
    /// For how many days reports are kept.
    var reportDays: Int64
    var board: NoticeBoard
    var secrets: SubjectSecrets
    var topicPrefix: String
    var publisher: MQTTPublisher
    var webhook: Webhook?
    var duty: Duty
    /// Seconds since 1970.
    var now: @Sendable () -> Int64 = { WallClock.now().microseconds / 1_000_000 }
    var logger: Logger

    /// How often is looked for reports of other processes, and for what couldn't be delivered.
    static let interval: Duration = .seconds(10)
    /// How often all reports are matched again: records of an outage come late.
    private static let matchInterval: Duration = .seconds(300)

    private struct Progress {
        var matched: Set<Int64> = []
        var matchedAllAt: ContinuousClock.Instant?
        /// Topics on which something is retained.
        var retained: Set<String> = []
    }

    func run() async throws {
        guard await duty.begun() else { return }
        await withGracefulShutdownHandler {
            let beat = Task {
                while !Task.isCancelled {
                    try? await Task.sleep(for: Self.interval)
                    board.beat()
                    board.wake()
                }
            }
            defer { beat.cancel() }
            var progress = Progress()
            board.wake()
            for await _ in board.wakeUps {
                do {
                    try await work(&progress)
                } catch {
                    logger.error(
                        "can't match reports or tell of exposures", metadata: ["because": "\(error.inOneLine)"])
                }
            }
        } onGracefulShutdown: {
            board.close()
        }
    }

    private func work(_ progress: inout Progress) async throws {
        let now = now()
        let isAll = progress.matchedAllAt.map { ContinuousClock.now - $0 >= Self.matchInterval } ?? true
        let known = isAll ? [] : progress.matched
        let (store, matching, days) = (store, matching, reportDays)
        // What was read while this process wasn't there may be retained still.
        let isFirst = progress.matchedAllAt == nil
        let (matched, notices) = try await onThread {
            let reports = try store.use { try $0.reports(since: now - days * 86_400) }
            for report in reports where !known.contains(report.number) {
                // Others may use the store between two reports.
                try store.use { store in
                    for subject in try matching.match(report, in: store, now: now) {
                        try matching.announce(subject, in: store, now: now)
                    }
                }
            }
            try store.use { store in
                for scheme in PositiveScheme.allCases {
                    try store.publish(scheme: scheme.rawValue, slots: PositiveList.openSlots(now: now))
                }
            }
            return (Set(reports.map(\.number)), try store.use { try $0.notices(includesSeen: isFirst) })
        }
        progress.matched = matched
        if isAll { progress.matchedAllAt = .now }
        if isFirst { progress.retained = Set(notices.map { topic(of: $0) }) }
        await retain(notices, &progress)
        for notice in notices {
            board.tell(notice)
            guard !notice.isDelivered else { continue }
            if let webhook, !notice.content.isEmpty {
                // Tried again the next time; the others aren't kept waiting.
                guard await webhook.deliver(notice) else { continue }
            }
            try await onThread { try store.use { try $0.delivered(notice) } }
        }
    }

    /// On topics of subjects, until they have read it.
    private func retain(_ notices: [InteractionStore.Notice], _ progress: inout Progress) async {
        var retained: Set<String> = []
        for notice in notices where !notice.isSeen && !notice.content.isEmpty {
            let topic = topic(of: notice)
            retained.insert(topic)
            await publisher.setState(Array(notice.content.utf8), topic: topic)
        }
        for topic in progress.retained.subtracting(retained) { await publisher.setState([], topic: topic) }
        progress.retained = retained
    }

    private func topic(of notice: InteractionStore.Notice) -> String {
        NoticeTopic.topic(prefix: topicPrefix, key: secrets.topicKey(of: notice.subject))
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await DedicatedThread.run(name: "reports") { Result { try body() } }.get()
    }
}
