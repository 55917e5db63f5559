import Matching

/// Back-off for subjects whose notices the webhook refuses. The first retry is after a minute, later ones are ever
/// rarer, so that subjects unknown to the webhook cost it little. Pure.
struct WebhookRefusals: Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct Refusal {
        var next: Instant
        var pause: Duration
        /// Time of the last change of the refused notice: another notice is due at once.
        var changed: Int64
    }

    private var refusals: [SubjectIdentity: Refusal] = [:]

    static let shortest: Duration = .seconds(60)
    static let longest: Duration = .seconds(3600)

    mutating func refused(_ notice: Notice, at now: Instant) {
        let pause = refusals[notice.subject].map { min($0.pause * 2, Self.longest) } ?? Self.shortest
        refusals[notice.subject] = Refusal(next: now + pause, pause: pause, changed: notice.changed)
    }

    mutating func taken(_ subject: SubjectIdentity) { refusals[subject] = nil }

    func isDue(_ notice: Notice, at now: Instant) -> Bool {
        refusals[notice.subject].map { $0.next <= now || $0.changed != notice.changed } ?? true
    }
}
