import OperatorText
import Publishing

/// The table `outbox`: retention of records that have not been confirmed.
enum OutboxSettings {
    /// Minimum size. A smaller outbox would hold no more than a minute of a busy gateway.
    private static let smallest = 1_000_000
    private static let largest = 100_000_000_000

    static func read(_ root: TOMLReader) -> OutboxRules {
        var rules = OutboxRules()
        guard let reader = root.table("outbox") else { return rules }
        defer { reader.finish() }
        rules.bytes =
            reader.parsed("max-size", allowed: "\(ByteSizeText.form), from 1MB to 100GB") { text in
                ByteSizeText.parse(text).flatMap { (smallest...largest).contains($0) ? $0 : nil }
            } ?? rules.bytes
        rules.age = reader.duration("max-age", in: .seconds(60)...(.seconds(365 * 86_400))) ?? rules.age
        rules.drainRate = reader.number("drain-rate", in: 1...100_000, unit: "records a second") ?? rules.drainRate
        let confirmations = OutboxRules.Confirmation.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
        rules.confirmation =
            reader.parsed("confirm", allowed: confirmations) { .init(rawValue: $0) } ?? rules.confirmation
        rules.confirmTimeout =
            reader.duration("confirm-timeout", in: .seconds(1)...(.seconds(3600))) ?? rules.confirmTimeout
        let delay = reader.parsed("write-delay", allowed: "\"auto\", or a duration from \"0s\" to \"1s\"") { text in
            text == "auto" ? WriteDelay.auto : DurationText.parse(text).flatMap { WriteDelay(fixed: $0) }
        }
        if case .fixed(let duration)? = delay { rules.writeDelay = duration }
        return rules
    }

    private enum WriteDelay {
        case auto
        case fixed(Duration)

        init?(fixed duration: Duration) {
            guard (.zero...OutboxRules.wearingDelay).contains(duration) else { return nil }
            self = .fixed(duration)
        }
    }
}
