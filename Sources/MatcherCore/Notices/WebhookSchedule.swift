package import Matching

/// Schedule of deliveries to a webhook: which notices are attempted, in which order, and when again. Failed deliveries
/// delay no others, however many there are. Pure.
package struct WebhookSchedule: Sendable {
    package typealias Instant = ContinuousClock.Instant

    /// Last notice that was delivered or attempted. Delivery continues after it until all notices have had their turn.
    package private(set) var last: Notice?
    /// Subjects that are tried again later, because the webhook refused their notices.
    private var refusals = WebhookRefusals()

    package init() {}

    /// Maximum time for deliveries before other work gets its turn.
    package static let patience: Duration = .seconds(10)

    /// What becomes of a notice whose turn it is.
    package enum Turn: Equatable, Sendable {
        /// It is offered to the webhook.
        case offer(NoticeContent)
        /// It counts as delivered: there is no webhook, or nothing left to report.
        case settle
        /// The webhook refused it, and it is tried again later.
        case skip
        /// Other work has its turn first.
        case pause
    }

    /// Decides about a notice.
    ///
    /// - Parameter start: start of the deliveries.
    package func turn(of notice: Notice, hasWebhook: Bool, start: Instant, now: Instant) -> Turn {
        guard hasWebhook, let content = notice.content else { return .settle }
        if now - start >= Self.patience { return .pause }
        return refusals.isDue(notice, at: now) ? .offer(content) : .skip
    }

    /// Records that a notice had its turn without being offered.
    package mutating func skipped(_ notice: Notice) { last = notice }

    /// What follows from an answer of the webhook.
    package enum Consequence: Equatable, Sendable {
        case delivered
        /// The next notice has its turn.
        case next
        /// All are tried again the next time: a webhook that does not answer must not delay other work.
        case stop
    }

    /// Takes the webhook's answer to a notice.
    package mutating func take(_ answer: WebhookAnswer, to notice: Notice, at now: Instant) -> Consequence {
        last = notice
        switch answer {
        case .taken: return .delivered
        case .refused:
            refusals.refused(notice, at: now)
            return .next
        case .unavailable: return .stop
        }
    }

    /// Records that a notice counts as delivered.
    package mutating func delivered(_ notice: Notice) {
        last = notice
        refusals.taken(notice.subject)
    }

    /// Records that all notices have had their turn.
    package mutating func finish() { last = nil }
}
