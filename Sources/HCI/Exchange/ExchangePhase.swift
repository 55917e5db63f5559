/// Where an exchange stands, for those whom it disturbs.
public enum ExchangePhase: Sendable {
    /// The controller is told to look for the peer.
    case connecting
    /// The kernel has switched scanning off, or does so within a few milliseconds.
    case connected
    /// The peer has answered: what the kernel does because of the connection is done.
    case answered
    /// Whatever came of it, nothing disturbs scanning any more.
    case ended
}
