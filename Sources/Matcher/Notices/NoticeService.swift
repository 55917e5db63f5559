import BeaconModel
import CommandSupport
import InteractionStore
import Logging
import MQTTBridge
import Matching
import OperatorText
import ServiceLifecycle
import SystemIO

/// Matches reports again and again while they matter, tells subjects what follows, and fills the list of positives.
struct NoticeService: NamedService {
    var store: SharedStore
    var matching: Reloadable<ReportMatching>
    /// For how many days reports are kept.
    var reportDays: Int64
    var board: NoticeBoard
    var secrets: SubjectSecrets
    var topicPrefix: String
    var publisher: MQTTPublisher
    var webhook: Webhook?
    var spokesman: Spokesman
    var duty: Duty
    /// So many notices are retained and delivered at a time.
    var mostNotices = 10_000
    /// Seconds since 1970.
    var now: @Sendable () -> Int64 = { WallClock.now().microseconds / 1_000_000 }
    var logger: Logger

    /// How often is looked for reports of other processes, and for what couldn't be delivered.
    static let interval: Duration = .seconds(10)
    /// How often all reports are matched again: records of an outage come late.
    static let matchInterval: Duration = .seconds(300)

    /// For so long the webhook is told without looking what else there is to do.
    private static let deliveryTime: Duration = .seconds(10)

    private static let expiry: Duration = .seconds(14 * 86_400)

    private struct Progress {
        /// The number of the latest report that was matched.
        var last: Int64 = 0
        var matchedAllAt: ContinuousClock.Instant?
        /// Reports that name fixed beacons, of which the log was told.
        var withFixedBeacons: Set<Int64> = []
        /// Gateways that were left out, of which the log was told.
        var leftOut: Set<String> = []
        /// Who is told something that is retained.
        var retained: Set<SubjectIdentity> = []
        /// The days of which phones were told at the last look, since 1970.
        var phoneDays: Range<Int64>?
        /// Who was tried to be told by the webhook since all were: who comes later isn't kept waiting by those who fail.
        var attempted: Set<SubjectIdentity> = []
        /// Topics that were emptied, and what for: by their keys.
        var withdrawn: [String: Int64] = [:]
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
        let (store, matching, days, mostNotices) = (store, matching.current, reportDays, mostNotices)
        let phoneDays = matching.telling.phoneDays(now: now)
        let isNewDay = phoneDays != nil && progress.phoneDays != phoneDays
        // Of a day that is over phones are told once, and everything.
        let isAll =
            isNewDay || progress.matchedAllAt.map { ContinuousClock.now - $0 >= Self.matchInterval } ?? true
        let known = progress.last
        // What was read while this process wasn't there may be retained still.
        let isFirst = progress.matchedAllAt == nil
        let types = ReportType.allCases.filter { matching.policy.reportTypes[$0] > 0 }
        let (last, notices, failures, fixed, leftOut) = try await onThread {
            let reports = try store.use {
                try $0.reports(since: now - days * 86_400, of: types, after: isAll ? 0 : known)
            }
            var failures: [String] = []
            var leftOut: Set<String> = []
            var fixed: [(report: InteractionStore.StoredReport, beacon: SubjectIdentity)] = []
            for report in reports {
                do {
                    // Others may use the store between two reports.
                    fixed += try store.use { store in
                        for gateway in try matching.match(report, in: store, now: now) {
                            leftOut.insert("\(gateway) in report \(report.reference)")
                        }
                        return try report.fixedBeacons(in: store).sorted().map { (report, $0) }
                    }
                } catch {
                    // One report that can't be matched keeps no other from being.
                    failures.append("report \(report.number): \(error.inOneLine)")
                }
            }
            if isNewDay {
                // Phones are told of what ended on that day, also when nobody was there when it was to be told.
                try store.use { try $0.markStale(kind: SubjectIdentity.phone) }
            }
            for stale in try store.use({ try $0.staleNotices() }) {
                try store.use { try matching.announce(stale, in: $0, now: now) }
            }
            let notices = try store.use { try $0.notices(includesSeen: isFirst, limit: mostNotices) }
            return (reports.last?.number, notices, failures, fixed, leftOut)
        }
        for (report, beacon) in fixed where progress.withFixedBeacons.insert(report.number).inserted {
            logger.warning(
                "report names a fixed beacon, which exposes nobody",
                metadata: ["report": "\(report.reference)", "beacon": "\(beacon)"])
        }
        for gateway in leftOut.subtracting(progress.leftOut).sorted() {
            logger.error(
                "more encounters are told than anybody has: what tells most of them isn't looked at",
                metadata: [
                    "left out": "\(gateway)",
                    "remedy": "if a gateway was stolen: beacon-matcher gateways revoke; of phones look at enrolment",
                ])
        }
        if isAll { progress.leftOut = leftOut } else { progress.leftOut.formUnion(leftOut) }
        for failure in failures { logger.error("can't match a report", metadata: ["because": "\(failure)"]) }
        try await publish()
        progress.last = max(known, last ?? 0)
        if isAll { progress.matchedAllAt = .now }
        progress.phoneDays = phoneDays
        // Whoever was exposed on a day that phones aren't told of yet has a notice that says nothing: their topics stay as they are.
        if isFirst { progress.retained = Set(notices.filter { $0.changed > 0 }.map(\.subject)) }
        try await retain(notices, &progress)
        // By name: whoever listens is told, however many notices of others wait.
        let listening = board.subjects
        let told = try await onThread { try store.use { try $0.notices(of: listening) } }
        // After the notices were read: what they say isn't for whoever had the secret before.
        board.endStreams(unless: try await onThread { try store.use { try $0.secretVersions(of: listening) } })
        for notice in told { board.tell(notice) }
        let spokesman = spokesman
        guard try await onThread({ try spokesman.isThis() }) else { return }
        try await deliver(notices.filter { !$0.isDelivered }, &progress)
    }

    /// Tells the webhook. It takes as long as the webhook wants, so it stops after a while, and goes on after what else there
    /// is to do.
    private func deliver(_ notices: [InteractionStore.Notice], _ progress: inout Progress) async throws {
        let (store, start) = (store, ContinuousClock.now)
        for notice in notices where !progress.attempted.contains(notice.subject) {
            if let webhook, !notice.content.isEmpty {
                guard ContinuousClock.now - start < Self.deliveryTime else {
                    board.wake()
                    return
                }
                progress.attempted.insert(notice.subject)
                // It may have been erased or withdrawn, or its subject told something else, since it was read.
                guard try await onThread({ try store.use { try $0.isToBeDelivered(notice) } }) else { continue }
                switch await webhook.deliver(notice) {
                case .taken: break
                case .refused: continue
                // All are tried again the next time: one who doesn't answer mustn't hold up what is done here.
                case .unavailable: return
                }
            }
            try await onThread { try store.use { try $0.delivered(notice) } }
        }
        progress.attempted = []
    }

    /// Gives those who wait for it a place in the list of positives.
    private func publish() async throws {
        let (store, now) = (store, now())
        try await onThread {
            for scheme in PositiveScheme.allCases {
                try store.use { store in
                    try store.publish(scheme: scheme.rawValue, slots: PositiveList.openSlots(of: scheme, now: now)) {
                        scheme.admits($1, slot: $0)
                    }
                }
            }
        }
    }

    /// On topics of subjects, until they have read it.
    private func retain(_ notices: [InteractionStore.Notice], _ progress: inout Progress) async throws {
        var retained: Set<SubjectIdentity> = []
        let topics = try await topics(of: Set(notices.map(\.subject)).union(progress.retained))
        for notice in notices where !notice.isSeen && !notice.content.isEmpty {
            retained.insert(notice.subject)
            guard let topic = topics[notice.subject] else { continue }
            await publisher.setState(Array(notice.content.utf8), topic: topic, expiry: Self.expiry)
        }
        // There may be more that wait than were looked at.
        let (store, others) = (store, progress.retained.subtracting(retained))
        let waiting = try await onThread { try store.use { try $0.subjects(withUnreadNoticeAmong: others) } }
        for subject in others.subtracting(waiting) {
            if let topic = topics[subject] { await publisher.setState([], topic: topic) }
        }
        progress.retained = retained.union(waiting)
        try await withdraw(&progress, told: Set(progress.retained.compactMap { topics[$0] }))
    }

    /// Empties the topics of those who were erased.
    ///
    /// - Parameter told: topics on which something is to be read.
    private func withdraw(_ progress: inout Progress, told: Set<String>) async throws {
        let store = store
        let withdrawals = try await onThread { try store.use { try $0.withdrawals() } }
        for (key, time) in withdrawals.sorted(by: { $0.key < $1.key }) where progress.withdrawn[key] != time {
            progress.withdrawn[key] = time
            let topic = NoticeTopic.topic(prefix: topicPrefix, key: key)
            if NoticeTopic.isKey(key), !told.contains(topic) { await publisher.setState([], topic: topic) }
            try await onThread { try store.use { try $0.withdrew(topicKey: key, at: time) } }
        }
        progress.withdrawn = progress.withdrawn.filter { withdrawals[$0.key] != nil }
    }

    /// The topics of some subjects, by their present secrets; of those without one none.
    private func topics(of subjects: Set<SubjectIdentity>) async throws -> [SubjectIdentity: String] {
        if subjects.isEmpty { return [:] }
        let store = store
        let versions = try await onThread { try store.use { try $0.secretVersions(of: subjects) } }
        return versions.filter { $0.value >= 0 }.reduce(into: [:]) { topics, entry in
            let key = secrets.topicKey(of: entry.key, version: entry.value)
            topics[entry.key] = NoticeTopic.topic(prefix: topicPrefix, key: key)
        }
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await DedicatedThread.run(name: "reports") { Result { try body() } }.get()
    }
}
