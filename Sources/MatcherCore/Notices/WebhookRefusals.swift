package import Matching

/// Back-off for subjects whose notices the webhook refuses. The first retry is after a minute, later ones are ever
/// rarer, so that subjects unknown to the webhook cost it little. Pure.
package struct WebhookRefusals: Sendable {
    package typealias Instant = ContinuousClock.Instant

    private struct Refusal {
        var next: Instant
        var pause: Duration
        /// Time of the last change of the refused notice: another notice is due at once.
        var changed: Int64
    }

    private var refusals: [SubjectIdentity: Refusal] = [:]

    package static let shortest: Duration = .seconds(60)
    package static let longest: Duration = .seconds(3600)

    package mutating func refused(_ notice: Notice, at now: Instant) {
        let pause = refusals[notice.subject].map { min($0.pause * 2, Self.longest) } ?? Self.shortest
        refusals[notice.subject] = Refusal(next: now + pause, pause: pause, changed: notice.changed)
    }

    package mutating func taken(_ subject: SubjectIdentity) { refusals[subject] = nil }

    package func isDue(_ notice: Notice, at now: Instant) -> Bool {
        refusals[notice.subject].map { $0.next <= now || $0.changed != notice.changed } ?? true
    }
}
