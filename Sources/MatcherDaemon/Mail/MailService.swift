import BeaconModel
import CommandSupport
import InteractionStore
import Logging
import MatcherCore
import Matching
import People
import ServiceLifecycle
import SystemIO

/// Service that sends e-mails to people who have no app: those that officers order, and those to people who want them.
///
/// An e-mail counts as sent when the server has taken it. After a crash between the two it is sent once more, with the
/// same identifier, and not before its next turn.
struct MailService: NamedService {
    var store: SharedStore
    var configuration: Reloadable<MatcherConfiguration>
    var matching: Reloadable<ReportMatching>
    var mailer: Mailer
    var leader: StoreLeader
    var activation: Activation
    /// Returns the present time, in seconds since 1970.
    var now: @Sendable () -> Int64
    var logger: Logger
    var interval: Duration = .seconds(10)

    /// Maximum number of e-mails of one round; the rate is limited as well.
    private static let mostOfRound = MailRate.mostPerMinute
    private static let day: Int64 = 86_400

    /// State that the service keeps from one round to the next.
    struct Progress: Sendable {
        var rate = MailRate()
        /// When changed notices were looked for, in seconds since 1970.
        var looked: Int64?
        /// Why no e-mail could be sent, as it was logged.
        var complaint: String?
        /// Number of rounds in a row in which the server sent nothing, and when it is tried again.
        var failures = 0
        var next: Int64 = .min
    }

    func run() async throws {
        guard await activation.begun() else { return }
        try? await cancelWhenGracefulShutdown {
            var progress = Progress()
            while true {
                do {
                    let leader = leader
                    if try await onThread({ try leader.isThis() }) { try await work(&progress) }
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("e-mails not sent", metadata: ["because": "\(error.inOneLine)"])
                }
                try await Task.sleep(for: interval)
            }
        }
    }

    /// Orders what people want, sends what is due, and gives up what is too old.
    ///
    /// - Throws: `StoreError`.
    func work(_ progress: inout Progress) async throws {
        let (store, time) = (store, now())
        // Clocks of processes may differ.
        let since = progress.looked.map { $0 - 60 } ?? .min
        let reportDays = configuration.current.reports.retention
        let isSettingUp = progress.looked == nil
        let givenUp = try await onThread {
            try store.use { store in
                _ = try store.orderWantedMail(changedSince: since, now: time) {
                    MailContact.address(in: $0)?.description
                }
                return try store.endOldMail(
                    lifetime: MailSchedule.lifetime, before: time - reportDays * Self.day, now: time)
            }
        }
        progress.looked = time
        if givenUp > 0 { logger.warning("e-mails given up after three days", metadata: ["count": "\(givenUp)"]) }
        if isSettingUp { logger.info("e-mail is on", metadata: ["server": "\(mailer.settings.server.url)"]) }
        guard time >= progress.next else { return }
        for mail in try await onThread({ try store.use { try $0.dueMail(now: time, limit: Self.mostOfRound) } }) {
            try Task.checkCancellation()
            guard progress.rate.take(at: now()) else { return }
            guard try await send(mail, &progress) else { return }
        }
    }

    /// Sends an e-mail.
    ///
    /// - Returns: whether others can be sent now.
    private func send(_ mail: StoredMail, _ progress: inout Progress) async throws -> Bool {
        let (store, time, configuration, telling) = (store, now(), configuration.current, matching.current.telling)
        let prepared = try await onThread {
            try store.use { try Self.prepare(mail, telling, configuration, now: time, in: $0) }
        }
        guard let prepared else { return true }
        let answer = await mailer.send(
            prepared.letter, to: prepared.recipient, identifier: mail.identifier, now: time)
        // A cancelled dialogue says nothing about the server: the e-mail has its next turn.
        try Task.checkCancellation()
        let (state, error): (StoredMail.State, String) =
            switch answer {
            case .taken: (.sent, "")
            case .refused(let reason): (.failed, reason)
            case .later(let reason), .unavailable(let reason): (.queued, reason)
            }
        let end = now()
        try await onThread { try store.use { try $0.setMail(mail.id, to: state, error: error, now: end) } }
        guard case .unavailable(let reason) = answer else {
            (progress.failures, progress.next, progress.complaint) = (0, .min, nil)
            return true
        }
        progress.failures += 1
        progress.next = MailSchedule.next(after: min(progress.failures, 4), now: end)
        if progress.complaint != reason {
            logger.error(
                "mail server unusable, trying again", metadata: ["because": "\(Self.withoutAddresses(reason))"])
        }
        progress.complaint = reason
        return false
    }

    /// Returns the letter of an e-mail and its recipient, as they are now, and notes that it is tried.
    ///
    /// - Returns: `nil` if there is nothing to send any more.
    private static func prepare(
        _ mail: StoredMail, _ telling: ExposureTelling, _ configuration: MatcherConfiguration, now: Int64,
        in store: InteractionStore
    ) throws -> (letter: NoticeLetter, recipient: Mailbox)? {
        guard let person = try store.person(number: mail.number), let address = MailContact.address(in: person.contact)
        else {
            try store.setMail(mail.id, to: .failed, error: "the register has no e-mail address any more", now: now)
            return nil
        }
        guard let letter = try NoticeLetter(to: person, telling: telling, configuration, now: now, in: store)
        else {
            try store.setMail(mail.id, to: .failed, error: "there is nothing to tell any more", now: now)
            return nil
        }
        let next = MailSchedule.next(after: mail.tries + 1, now: now)
        guard try store.beginMail(mail, to: address.description, next: next) else { return nil }
        return (letter, Mailbox(name: person.name, address: address))
    }

    /// Returns an answer of the server for the log, which has nobody's address.
    static func withoutAddresses(_ answer: String) -> String {
        answer.split(separator: " ").map { $0.contains("@") ? "(address)" : String($0) }.joined(separator: " ")
    }

    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await DedicatedThread.run(name: "mail") { Result { try body() } }.get()
    }
}

extension StoredMail {
    /// Text that stands for this e-mail alone.
    var identifier: String { "\(id) \(created)" }
}
