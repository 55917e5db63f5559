/// What came of an exchange.
public struct ExchangeReading: Equatable, Sendable {
    /// The peer's.
    public var code: UInt64
    /// Whether the peer has taken ours.
    public var gaveOwnCode: Bool

    public init(code: UInt64, gaveOwnCode: Bool) {
        self.code = code
        self.gaveOwnCode = gaveOwnCode
    }
}
