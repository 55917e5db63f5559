import Matching

/// Of whom a webhook doesn't take a notice, and when it is asked again: after a minute, then ever more rarely, so that
/// people whom it doesn't know cost it little. Pure.
struct WebhookRefusals: Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct Refusal {
        var next: Instant
        var pause: Duration
    }

    private var refusals: [SubjectIdentity: Refusal] = [:]

    static let shortest: Duration = .seconds(60)
    static let longest: Duration = .seconds(3600)

    mutating func refused(_ subject: SubjectIdentity, at now: Instant) {
        let pause = refusals[subject].map { min($0.pause * 2, Self.longest) } ?? Self.shortest
        refusals[subject] = Refusal(next: now + pause, pause: pause)
    }

    mutating func taken(_ subject: SubjectIdentity) { refusals[subject] = nil }

    func isDue(_ subject: SubjectIdentity, at now: Instant) -> Bool { refusals[subject].map { $0.next <= now } ?? true }
}
