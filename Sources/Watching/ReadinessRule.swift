/// Decides when the service manager is told that the program is ready.
///
/// A program is ready when it does what it is for. Units that are ordered after it do not wait for somebody to plug an
/// adapter in, though: the program is ready soon when nothing but a person or another program can help, and after a
/// minute in any case. The status line says what is missing.
package struct ReadinessRule: Sendable {
    /// Time after which a program that waits for others is ready.
    package static let grace: Duration = .seconds(10)
    /// Time after which a program is ready in any case. Service managers give up later: systemd after 90 s.
    package static let limit: Duration = .seconds(60)

    package init() {}

    /// - Parameter elapsed: time since the services were started.
    package func isReady(_ vitality: Vitality, after elapsed: Duration) -> Bool {
        switch vitality {
        case .working: true
        case .waiting: elapsed >= Self.grace
        case .starting, .stuck: elapsed >= Self.limit
        }
    }
}
