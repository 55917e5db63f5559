import BeaconModel
import CommandSupport
import Evidence
import InteractionStore
import Logging
import MQTTBridge
import MatcherCore
import Matching
import Metering
import OperatorText
import ServiceLifecycle
import SystemIO

/// Service that matches reports repeatedly while they matter, notifies subjects of their exposures, and fills the list
/// of positives.
struct NoticeService: NamedService {
    var store: SharedStore
    var matching: Reloadable<ReportMatching>
    /// Number of days for which reports are kept.
    var reportDays: Int64
    var streams: NoticeStreams
    var secrets: SubjectSecrets
    var topicPrefix: String
    var publisher: MQTTPublisher
    var webhook: Webhook?
    var leader: StoreLeader
    var activation: Activation
    var meters = Meters.none
    /// Maximum number of notices that are read at a time.
    var mostNotices = 10_000
    /// Returns the present time, in seconds since 1970.
    var now: @Sendable () -> Int64 = { WallClock.now().microseconds / 1_000_000 }
    var logger: Logger

    /// Interval at which reports of other processes and undelivered notices are looked for.
    static let interval: Duration = .seconds(10)
    private static let expiry: Duration = .seconds(14 * 86_400)

    private struct Progress {
        var schedule = MatchingSchedule()
        /// Reports that name fixed beacons and were logged.
        var withFixedBeacons: Set<Int64> = []
        /// Sources that were left out and were logged.
        var leftOut: Set<String> = []
        /// Subjects with a retained notice.
        var retained: Set<SubjectIdentity> = []
        /// Time of the last look for notices to retain, in seconds since 1970.
        var retainedAt: Int64?
        var webhook = WebhookSchedule()
        /// Topics that were emptied, by key, with the time of the withdrawal.
        var withdrawn: [String: Int64] = [:]
    }

    func run() async throws {
        guard await activation.begun() else { return }
        await withGracefulShutdownHandler {
            let beat = Task {
                while !Task.isCancelled {
                    try? await Task.sleep(for: Self.interval)
                    streams.beat()
                    streams.wake()
                }
            }
            defer { beat.cancel() }
            var progress = Progress()
            streams.wake()
            for await _ in streams.wakeUps {
                do {
                    try await meters.run(.exposures) { try await work(&progress) }
                } catch {
                    logger.error(
                        "report matching or exposure notification failed", metadata: ["because": "\(error.inOneLine)"])
                }
            }
        } onGracefulShutdown: {
            streams.close()
        }
    }

    private func work(_ progress: inout Progress) async throws {
        let now = now()
        let (store, matching, days) = (store, matching.current, reportDays)
        let round = progress.schedule.round(
            policy: matching.policy, phoneDays: matching.telling.phoneDays(now: now), now: now, at: .now)
        let (last, failures, fixed, leftOut) = try await onThread {
            let reports = try store.use {
                try $0.reports(since: now - days * 86_400, of: round.types, after: round.last)
            }
            var failures: [String] = []
            var leftOut: Set<String> = []
            var fixed: [(report: FiledReport, beacon: SubjectIdentity)] = []
            for report in reports {
                do {
                    // Other users of the store get their turn between two reports.
                    fixed += try store.use { store in
                        for gateway in try matching.match(report, in: store, now: now) {
                            leftOut.insert("\(gateway.names.joined(separator: " and ")) in report \(report.reference)")
                        }
                        return try report.fixedBeacons(in: store).sorted().map { (report, $0) }
                    }
                } catch {
                    // One report that cannot be matched does not stop the others.
                    failures.append("report \(report.number): \(error.inOneLine)")
                }
            }
            if round.renewsNotices { try store.use { try $0.markNoticesStale() } }
            for stale in try store.use({ try $0.staleNotices() }) {
                try store.use { try matching.announce(stale, in: $0, now: now) }
            }
            return (reports.last?.number, failures, fixed, leftOut)
        }
        for (report, beacon) in fixed where progress.withFixedBeacons.insert(report.number).inserted {
            logger.warning(
                "report names a fixed beacon, no exposures follow",
                metadata: ["report": "\(report.reference)", "beacon": "\(beacon)"])
        }
        for gateway in leftOut.subtracting(progress.leftOut).sorted() {
            logger.error(
                "implausible number of encounters, ignoring the receivers that report most of them",
                metadata: [
                    "left out": "\(gateway)",
                    "remedy": "if a gateway was stolen: beacon-matcher gateways revoke; of phones look at enrolment",
                ])
        }
        if round.isAll { progress.leftOut = leftOut } else { progress.leftOut.formUnion(leftOut) }
        for failure in failures { logger.error("report matching failed", metadata: ["because": "\(failure)"]) }
        try await publish()
        progress.schedule.complete(round, last: last, at: .now)
        // A subject that was exposed on a day of which phones are not notified yet has an empty notice: its topic stays
        // as it is.
        if round.isFirst {
            try await eachPart(of: .all) { notices in
                progress.retained.formUnion(notices.filter { $0.changed > 0 }.map(\.subject))
            }
        }
        try await retain(&progress, isAll: round.isAll, now: now)
        // Selected by name: subscribers are notified, however many notices of others wait.
        let listening = streams.subjects
        let told = try await onThread { try store.use { try $0.notices(of: listening) } }
        // Checked after the notices were read: they are not for a client with a former secret.
        streams.endStreams(unless: try await onThread { try store.use { try $0.secretVersions(of: listening) } })
        for notice in told { streams.tell(notice) }
        let leader = leader
        guard try await onThread({ try leader.isThis() }) else { return }
        try await deliver(&progress)
    }

    /// Reads notices in parts.
    private func eachPart(
        of selection: InteractionStore.NoticeSelection, changedSince time: Int64 = .min,
        _ body: ([Notice]) async throws -> Void
    ) async throws {
        let (store, limit) = (store, mostNotices)
        var last: Notice?
        repeat {
            let notices = try await onThread { [last] in
                try store.use { try $0.notices(selection, changedSince: time, after: last, limit: limit) }
            }
            try await body(notices)
            last = notices.count < limit ? nil : notices.last
        } while last != nil
    }

    /// Delivers notices to the webhook. This takes as long as the webhook wants, so it stops after a while and
    /// continues after other work where it stopped: failed deliveries delay no others, however many there are.
    private func deliver(_ progress: inout Progress) async throws {
        let (store, limit, start) = (store, mostNotices, ContinuousClock.now)
        while true {
            let notices = try await onThread { [last = progress.webhook.last] in
                try store.use { try $0.notices(.undelivered, after: last, limit: limit) }
            }
            for notice in notices {
                switch progress.webhook.turn(of: notice, hasWebhook: webhook != nil, start: start, now: .now) {
                case .settle: break
                case .skip:
                    progress.webhook.skipped(notice)
                    continue
                case .pause:
                    streams.wake()
                    return
                case .offer(let content):
                    // Since it was read, the notice may have been erased, withdrawn or replaced.
                    guard let webhook, try await onThread({ try store.use { try $0.isToBeDelivered(notice) } }) else {
                        progress.webhook.skipped(notice)
                        continue
                    }
                    let answer = await webhook.deliver(content, of: notice.subject)
                    switch progress.webhook.take(answer, to: notice, at: .now) {
                    case .delivered: break
                    case .next: continue
                    case .stop: return
                    }
                }
                progress.webhook.delivered(notice)
                try await onThread { try store.use { try $0.delivered(notice) } }
            }
            guard notices.count == limit, limit > 0 else { break }
        }
        progress.webhook.finish()
    }

    /// Gives waiting entries a place in the list of positives.
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

    /// Publishes retained notices on the topics of subjects, until they have read them.
    ///
    /// - Parameter isAll: whether to look at all notices; otherwise at those that changed since the last look.
    private func retain(_ progress: inout Progress, isAll: Bool, now: Int64) async throws {
        let store = store
        let withdrawals = try await onThread { try store.use { try $0.withdrawals() } }
        // A renewed secret has another topic.
        let isAll = isAll || withdrawals.contains { progress.withdrawn[$0.key] != $0.value }
        // Clocks may differ; notices that are missed for this are found when all are looked at.
        let since = isAll ? .min : progress.retainedAt.map { $0 - 60 } ?? .min
        progress.retainedAt = nil
        var retained: Set<SubjectIdentity> = []
        try await eachPart(of: .unread, changedSince: since) { notices in
            let topics = try await topics(of: Set(notices.map(\.subject)))
            for notice in notices {
                retained.insert(notice.subject)
                guard let topic = topics[notice.subject], let content = notice.content else { continue }
                await publisher.setState(NoticeDocument(content).bytes, topic: topic, expiry: Self.expiry)
            }
        }
        let others = progress.retained.subtracting(retained)
        let waiting = try await onThread { try store.use { try $0.subjects(withUnreadNoticeAmong: others) } }
        let ended = others.subtracting(waiting)
        for topic in try await topics(of: ended).values.sorted() { await publisher.setState([], topic: topic) }
        progress.retained = retained.union(waiting)
        try await withdraw(withdrawals, &progress)
        progress.retainedAt = now
    }

    /// Empties the topics of subjects that were erased, or have another secret.
    private func withdraw(_ withdrawals: [String: Int64], _ progress: inout Progress) async throws {
        let store = store
        let new = withdrawals.filter { progress.withdrawn[$0.key] != $0.value }
        if !new.isEmpty {
            // Topics that hold an unread notice.
            let told = Set(try await topics(of: progress.retained).values)
            for (key, time) in new.sorted(by: { $0.key < $1.key }) {
                progress.withdrawn[key] = time
                let topic = NoticeTopic.topic(prefix: topicPrefix, key: key)
                if NoticeTopic.isKey(key), !told.contains(topic) { await publisher.setState([], topic: topic) }
                try await onThread { try store.use { try $0.withdrew(topicKey: key, at: time) } }
            }
        }
        progress.withdrawn = progress.withdrawn.filter { withdrawals[$0.key] != nil }
    }

    /// Returns the topics of subjects by their present secrets; subjects without a secret have none.
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
