import BeaconModel
import CommandSupport
import InteractionStore
import Logging
import MatcherCore
import Metering
import ServiceLifecycle
import SignIn
import SystemIO

/// Service that deletes data older than its retention, at the start and every hour. Verdicts of attendance are stored
/// before. Test results that were sent in with a picture are deleted more often.
struct RetentionService: NamedService {
    var store: SharedStore
    var configuration: Reloadable<MatcherConfiguration>
    var meters = Meters.none
    var logger: Logger

    /// Pause between two steps, for the storing thread, which waits for the store.
    private static let pause: Duration = .milliseconds(5)

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                settle(WallClock.now().microseconds / 1_000_000)
                remember()
                removeSessions(WallClock.now().microseconds / 1_000_000)
                do {
                    let deletion = try await meters.run(.retention) { try await enforce() }
                    meters.count(deletion)
                    if deletion.interactions + deletion.readings + deletion.stays + deletion.subjects > 0 {
                        logger.info(
                            "expired data deleted",
                            metadata: [
                                "interactions": "\(deletion.interactions)", "readings": "\(deletion.readings)",
                                "stays": "\(deletion.stays)", "subjects": "\(deletion.subjects)",
                            ])
                    }
                } catch {
                    logger.error("retention failed", metadata: ["because": "\(error.inOneLine)"])
                }
                // Drafts are kept for an hour.
                for _ in 0..<12 {
                    removeSubmittedResults(WallClock.now().microseconds / 1_000_000)
                    try await Task.sleep(for: .seconds(300))
                }
            }
        }
    }

    /// Stores verdicts of attendance. A damaged timetable does not delay any deletion.
    private func settle(_ now: Int64) {
        let configuration = configuration.current
        guard let settings = configuration.attendance else { return }
        do {
            let uploads = try store.use { try $0.uploads() }
            let files = try AttendanceFiles.load(
                settings, uploads: uploads, fixedBeacons: configuration.fixedSubjects, now: now)
            let search = AttendanceSearch(configuration, settings, files, now: now)
            var count = 0
            // One at a time: the storing of records waits meanwhile.
            for lecture in search.urgentLectures(now: now) {
                count += try store.use { try search.settle([lecture], in: $0) }
            }
            logger.info("attendance saved", metadata: ["verdicts": "\(count)"])
        } catch {
            logger.error("attendance not saved", metadata: ["because": "\(error.inOneLine)"])
        }
    }

    /// Renews the configured beacons, which do not expire while they are configured.
    private func remember() {
        let now = WallClock.now().microseconds / 1_000_000
        do {
            try store.use { try $0.setFixedBeacons(configuration.current.fixedBeacons, now: now) }
        } catch {
            logger.error("configured beacons not saved", metadata: ["because": "\(error.inOneLine)"])
        }
    }

    /// Deletes sessions of the page that are over, and its audit once reports of that time are deleted.
    private func removeSessions(_ now: Int64) {
        let configuration = configuration.current
        do {
            try store.use { store in
                try store.removeOldSessions(policy: configuration.page?.sessions ?? SessionPolicy(), now: now)
                try store.removeAudit(before: now - configuration.reports.retention * 86_400)
            }
        } catch {
            logger.error("sessions and audit not deleted", metadata: ["because": "\(error.inOneLine)"])
        }
    }

    /// Deletes test results that nobody has sent or decided about in time, unless the clock may be ahead.
    private func removeSubmittedResults(_ now: Int64) {
        guard WallClock.isSynchronized else { return }
        do {
            let count = try store.use { try $0.expireSubmittedResults(now: now) }
            if count > 0 { logger.info("submitted test results expired", metadata: ["count": "\(count)"]) }
        } catch {
            logger.error("submitted test results not deleted", metadata: ["because": "\(error.inOneLine)"])
        }
    }

    private func enforce() async throws -> InteractionStore.Deletion {
        let now = WallClock.now().microseconds / 1_000_000
        try store.use { try $0.dropExpiredUploads(now: now) }
        let isSynchronized = WallClock.isSynchronized
        if !isSynchronized {
            logger.warning(
                "clock not synchronized, accepting records of any time and expiring them by the gateways' clocks"
            )
        }
        let configuration = configuration.current
        let steps = try store.use { store in
            try store.retentionSteps(
                days: configuration.retention, readingDays: configuration.readingRetention,
                stayDays: configuration.localisation?.stayRetention,
                reportDays: configuration.reports.retention, now: now,
                clockIsSynchronized: isSynchronized)
        }
        // Also where no mail server is configured any more.
        if isSynchronized {
            _ = try store.use { store in
                try store.endOldMail(
                    lifetime: MailSchedule.lifetime, before: now - configuration.reports.retention * 86_400, now: now)
            }
        }
        var deletion = InteractionStore.Deletion()
        for step in steps {
            deletion += try store.use { try $0.perform(step) }
            try await Task.sleep(for: Self.pause)
        }
        return deletion
    }
}
