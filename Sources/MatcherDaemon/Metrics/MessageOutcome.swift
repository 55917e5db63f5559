import Exposition
import Metering

/// What becomes of a message from the broker, for the metrics.
enum MessageOutcome: String, CaseIterable {
    /// A record that can be stored.
    case record
    /// A health message of a gateway.
    case health
    /// What a gateway says of its program or of a module.
    case state
    /// Signals, which are not stored.
    case signals
    /// A message that could not be read, or is not trusted.
    case invalid
    /// A message over the budget of its gateway.
    case tooMany = "too-many"
    /// A message on another topic, or one that another client left there.
    case ignored
}

extension Meters {
    func count(_ outcome: MessageOutcome, by amount: Int) {
        count(MatcherMetric.messages, by: amount, outcome.rawValue)
    }
}
