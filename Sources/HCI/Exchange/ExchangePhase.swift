/// The phase of an exchange, reported to components whose scanning it disturbs.
public enum ExchangePhase: Sendable {
    /// The controller has been instructed to connect to the peer.
    case connecting
    /// The kernel has switched scanning off or does so within a few milliseconds.
    case connected
    /// The peer has answered. The kernel has finished the work that the connection causes.
    case answered
    /// The exchange is over, with or without success. It no longer disturbs scanning.
    case ended
}
