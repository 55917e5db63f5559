import HTTPTypes
import Logging
import SystemIO

/// Log of authenticated and refused requests.
///
/// Requests on public routes are not logged, because their clients are unknown. Subjects appear under a keyed name: the
/// log shows which requests belong to the same subject, without revealing the subject.
struct AccessLog: Sendable {
    var logger: Logger
    /// Monotonic time in seconds.
    var now: @Sendable () -> Double = { MonotonicSeconds.now }
    private let refusals = LockedValue(RefusalTally())
    /// Tally of those who are led to the sign-in. They have a limit of their own, so that they hide no refusals.
    private let strangers = LockedValue(RefusalTally())

    init(logger: Logger) { self.logger = logger }

    struct Entry: Sendable {
        var method: HTTPRequest.Method
        /// Template of the route, `/v1/subjects/{id}/risk`.
        var route: String
        /// The name of an operator, or of an account on the page; `nil` for all other clients.
        var who: String?
        /// Kinds and keyed names of the subjects whose secrets were right.
        var subjects: [String] = []
        /// An operator's query, made safe for display; for other clients, kind and keyed name of the subject in the
        /// path.
        var about: String?
        var status: Int
        /// The client's address.
        var client: String

        /// Kind of the log entry. Other failed requests of unauthenticated clients are not logged: a million of them
        /// cost nothing to send.
        var kind: Kind {
            // A client that gives several secrets learns which of them are right: that is always logged.
            if status == 401 || status == 403 { return .refusal(isLimited: subjects.isEmpty) }
            // The page leads whoever is not signed in to the sign-in.
            if status == 303, who == nil, subjects.isEmpty { return .notSignedIn }
            return who != nil || !subjects.isEmpty || status < 400 ? .access : .nothing
        }

        enum Kind: Equatable, Sendable {
            case access
            /// Refused request. If limited, each client gets one line a minute.
            case refusal(isLimited: Bool)
            /// Request of somebody who is led to the sign-in. Each client gets one line a minute.
            case notSignedIn
            case nothing
        }
    }

    func note(_ entry: Entry) {
        var metadata: Logger.Metadata = [
            "route": "\(entry.method.rawValue) \(entry.route)", "status": "\(entry.status)",
            "client": "\(entry.client)",
        ]
        if let who = entry.who { metadata["operator"] = "\(who)" }
        if !entry.subjects.isEmpty { metadata["subject"] = "\(entry.subjects.joined(separator: ", "))" }
        if let about = entry.about { metadata["about"] = "\(about)" }
        switch entry.kind {
        case .nothing: logger.debug("request refused", metadata: metadata)
        case .access: logger.notice("access", metadata: metadata)
        case .refusal(isLimited: false): logger.warning("access refused", metadata: metadata)
        case .refusal(isLimited: true):
            guard let line = refusals.withLock({ [now] in $0.refused(entry.client, now: now()) }) else { return }
            logger.warning("access refused", metadata: metadata.merging(line.metadata) { $1 })
        case .notSignedIn:
            guard let line = strangers.withLock({ [now] in $0.refused(entry.client, now: now()) }) else { return }
            logger.notice("not signed in", metadata: metadata.merging(line.metadata) { $1 })
        }
    }
}

extension RefusalTally.Line {
    /// What was left out, for the log.
    var metadata: Logger.Metadata {
        var metadata: Logger.Metadata = [:]
        if leftOut > 0 { metadata["left out"] = "\(leftOut)" }
        if leftOutOfOthers > 0 { metadata["left out of others"] = "\(leftOutOfOthers)" }
        return metadata
    }
}
