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
    /// So many notices are read at a time.
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
        /// By what subjects were told: the policy, and the site's day since 1970.
        var basis: Basis?
        /// When was last looked for what is to be retained, in seconds since 1970.
        var retainedAt: Int64?
        /// Whom the webhook was told of last, or tried to be: it goes on behind them until it has come to the end.
        var delivered: InteractionStore.Notice?
        /// Who is tried again later, because the webhook refused them.
        var refusals = WebhookRefusals()
        /// Topics that were emptied, and what for: by their keys.
        var withdrawn: [String: Int64] = [:]
    }

    private struct Basis: Equatable {
        var policy: Policy
        var day: Int64
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
        let (store, matching, days) = (store, matching.current, reportDays)
        let phoneDays = matching.telling.phoneDays(now: now)
        let isNewDay = phoneDays != nil && progress.phoneDays != phoneDays
        // Of a day that is over phones are told once, and everything.
        let basis = Basis(policy: matching.policy, day: matching.policy.days.day(of: now))
        let isNewBasis = progress.basis != basis
        let isAll =
            isNewDay || isNewBasis
            || progress.matchedAllAt.map { ContinuousClock.now - $0 >= Self.matchInterval } ?? true
        let known = progress.last
        // What was read while this process wasn't there may be retained still.
        let isFirst = progress.matchedAllAt == nil
        // By a new policy nothing may follow from what counted by the one before.
        let types = ReportType.allCases.filter { isNewBasis || matching.policy.reportTypes[$0] > 0 }
        let (last, failures, fixed, leftOut) = try await onThread {
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
                            leftOut.insert("\(gateway.names.joined(separator: " and ")) in report \(report.reference)")
                        }
                        return try report.fixedBeacons(in: store).sorted().map { (report, $0) }
                    }
                } catch {
                    // One report that can't be matched keeps no other from being.
                    failures.append("report \(report.number): \(error.inOneLine)")
                }
            }
            if isNewDay || isNewBasis {
                // Phones are told of what ended on that day, also when nobody was there when it was to be told. Of a policy that
                // was changed everybody is told what follows by it, and of what is too old that it is.
                try store.use { try $0.markNoticesStale() }
            }
            for stale in try store.use({ try $0.staleNotices() }) {
                try store.use { try matching.announce(stale, in: $0, now: now) }
            }
            return (reports.last?.number, failures, fixed, leftOut)
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
        (progress.phoneDays, progress.basis) = (phoneDays, basis)
        // Whoever was exposed on a day that phones aren't told of yet has a notice that says nothing: their topics stay as they are.
        if isFirst {
            try await eachPart(of: .all) { notices in
                progress.retained.formUnion(notices.filter { $0.changed > 0 }.map(\.subject))
            }
        }
        try await retain(&progress, isAll: isAll, now: now)
        // By name: whoever listens is told, however many notices of others wait.
        let listening = board.subjects
        let told = try await onThread { try store.use { try $0.notices(of: listening) } }
        // After the notices were read: what they say isn't for whoever had the secret before.
        board.endStreams(unless: try await onThread { try store.use { try $0.secretVersions(of: listening) } })
        for notice in told { board.tell(notice) }
        let spokesman = spokesman
        guard try await onThread({ try spokesman.isThis() }) else { return }
        try await deliver(&progress)
    }

    /// Reads notices part by part.
    private func eachPart(
        of selection: InteractionStore.NoticeSelection, changedSince time: Int64 = .min,
        _ body: ([InteractionStore.Notice]) async throws -> Void
    ) async throws {
        let (store, limit) = (store, mostNotices)
        var last: InteractionStore.Notice?
        repeat {
            let notices = try await onThread { [last] in
                try store.use { try $0.notices(selection, changedSince: time, after: last, limit: limit) }
            }
            try await body(notices)
            last = notices.count < limit ? nil : notices.last
        } while last != nil
    }

    /// Tells the webhook. It takes as long as the webhook wants, so it stops after a while, and goes on behind those after what
    /// else there is to do: nobody waits for those who fail, however many they are.
    private func deliver(_ progress: inout Progress) async throws {
        let (store, limit, start) = (store, mostNotices, ContinuousClock.now)
        while true {
            let notices = try await onThread { [last = progress.delivered] in
                try store.use { try $0.notices(.undelivered, after: last, limit: limit) }
            }
            for notice in notices {
                if let webhook, !notice.content.isEmpty {
                    guard ContinuousClock.now - start < Self.deliveryTime else {
                        board.wake()
                        return
                    }
                    guard progress.refusals.isDue(notice, at: .now),
                        // It may have been erased or withdrawn, or its subject told something else, since it was read.
                        try await onThread({ try store.use { try $0.isToBeDelivered(notice) } })
                    else {
                        progress.delivered = notice
                        continue
                    }
                    progress.delivered = notice
                    switch await webhook.deliver(notice) {
                    case .taken: break
                    case .refused:
                        progress.refusals.refused(notice, at: .now)
                        continue
                    // All are tried again the next time: one who doesn't answer mustn't hold up what is done here.
                    case .unavailable: return
                    }
                }
                progress.delivered = notice
                progress.refusals.taken(notice.subject)
                try await onThread { try store.use { try $0.delivered(notice) } }
            }
            guard notices.count == limit, limit > 0 else { break }
        }
        progress.delivered = nil
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
    ///
    /// - Parameter isAll: looks at all of them; otherwise at what changed since it last looked.
    private func retain(_ progress: inout Progress, isAll: Bool, now: Int64) async throws {
        let store = store
        let withdrawals = try await onThread { try store.use { try $0.withdrawals() } }
        // A secret that was renewed has another topic.
        let isAll = isAll || withdrawals.contains { progress.withdrawn[$0.key] != $0.value }
        // By clocks that don't go alike; what they hide is found when all are looked at.
        let since = isAll ? .min : progress.retainedAt.map { $0 - 60 } ?? .min
        progress.retainedAt = nil
        var retained: Set<SubjectIdentity> = []
        try await eachPart(of: .unread, changedSince: since) { notices in
            let topics = try await topics(of: Set(notices.map(\.subject)))
            for notice in notices {
                retained.insert(notice.subject)
                guard let topic = topics[notice.subject] else { continue }
                await publisher.setState(Array(notice.content.utf8), topic: topic, expiry: Self.expiry)
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

    /// Empties the topics of those who were erased, or have another secret.
    private func withdraw(_ withdrawals: [String: Int64], _ progress: inout Progress) async throws {
        let store = store
        let new = withdrawals.filter { progress.withdrawn[$0.key] != $0.value }
        if !new.isEmpty {
            // On these something is to be read.
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
