/// How much of what came on a connection was never handed out.
///
/// A message of QoS 2 is kept by libmosquitto until the broker releases it. Nobody here subscribes with QoS 2, so a broker that
/// sends such messages only fills the memory. Being told of each packet costs more than a packet, so that is asked for only on
/// connections where much came that nobody saw.
struct UnseenBytes: Sendable {
    /// So much may be long properties, and packets that are under way.
    static let most: UInt64 = 16_777_216
    /// What a packet has beside topic and payload, with that of TLS: at most, nearly always.
    static let overhead: UInt64 = 512

    private var seen: UInt64 = 0

    /// - Parameter bytes: of a message's topic and payload; 0 for an answer.
    mutating func handedOut(_ bytes: Int) { seen &+= UInt64(bytes) + Self.overhead }

    /// - Parameter received: bytes since the connection began.
    mutating func areMany(received: UInt64) -> Bool {
        // What packets were shorter by than they might be is nobody's credit.
        seen = min(seen, received)
        return received - seen > Self.most
    }
}
