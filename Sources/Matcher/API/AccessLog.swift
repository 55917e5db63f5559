import HTTPTypes
import Logging
import SystemIO

/// Says in the log who asked for what, and who was refused.
///
/// Public routes aren't said: nobody is known there. Subjects stand under a keyed name, so that the log tells which requests
/// are of one and the same, and not whose.
struct AccessLog: Sendable {
    var logger: Logger
    /// Seconds of a clock that doesn't jump.
    var now: @Sendable () -> Double = { MonotonicSeconds.now }
    private let refusals = LockedValue(RefusalTally())

    init(logger: Logger) { self.logger = logger }

    struct Entry: Sendable {
        var method: HTTPRequest.Method
        /// Its template, `/v1/subjects/{id}/risk`.
        var route: String
        /// An operator's name; `nil` for everybody else.
        var who: String?
        /// Kinds and keyed names of those whose secrets were right.
        var subjects: [String] = []
        /// Of an operator's question the query, made safe; else kind and keyed name of the subject that the path names.
        var about: String?
        var status: Int
        /// An address.
        var client: String

        /// A mistaken request of somebody unknown is neither: it costs nothing to send a million of them.
        var kind: Kind {
            // Whoever gives several secrets learns which of them are right: that is never left out.
            if status == 401 || status == 403 { return .refusal(isLimited: subjects.isEmpty) }
            return who != nil || !subjects.isEmpty || status < 400 ? .access : .nothing
        }

        enum Kind: Equatable, Sendable {
            case access
            /// Limited: a line a minute for each client.
            case refusal(isLimited: Bool)
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
            if line.leftOut > 0 { metadata["left out"] = "\(line.leftOut)" }
            if line.leftOutOfOthers > 0 { metadata["left out of others"] = "\(line.leftOutOfOthers)" }
            logger.warning("access refused", metadata: metadata)
        }
    }
}
