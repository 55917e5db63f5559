import InteractionStore
import Matching

/// Of whom a webhook doesn't take a notice, and when it is asked again: after a minute, then ever more rarely, so that
/// people whom it doesn't know cost it little. Pure.
struct WebhookRefusals: Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct Refusal {
        var next: Instant
        var pause: Duration
        /// When the notice that was refused had changed: another one is due at once.
        var changed: Int64
    }

    private var refusals: [SubjectIdentity: Refusal] = [:]

    static let shortest: Duration = .seconds(60)
    static let longest: Duration = .seconds(3600)

    mutating func refused(_ notice: InteractionStore.Notice, at now: Instant) {
        let pause = refusals[notice.subject].map { min($0.pause * 2, Self.longest) } ?? Self.shortest
        refusals[notice.subject] = Refusal(next: now + pause, pause: pause, changed: notice.changed)
    }

    mutating func taken(_ subject: SubjectIdentity) { refusals[subject] = nil }

    func isDue(_ notice: InteractionStore.Notice, at now: Instant) -> Bool {
        refusals[notice.subject].map { $0.next <= now || $0.changed != notice.changed } ?? true
    }
}
