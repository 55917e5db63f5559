/// The result of a successful exchange.
public struct ExchangeReading: Equatable, Sendable {
    /// The peer's code.
    public var code: UInt64
    /// Whether the peer accepted our code.
    public var gaveOwnCode: Bool

    /// Creates a result from its parts.
    public init(code: UInt64, gaveOwnCode: Bool) {
        self.code = code
        self.gaveOwnCode = gaveOwnCode
    }
}
