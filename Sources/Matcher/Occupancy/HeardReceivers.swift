/// Which receivers are known to hear: where none does, nobody heard means nothing.
struct HeardReceivers: Equatable, Sendable {
    /// That have said lately that they hear, `site/building/floor/gateway`.
    var gateways: Set<String>
    /// Receivers of these that don't; an ear's path begins with its gateway's.
    var deaf: Set<String> = []

    /// - Parameter receiver: `site/building/floor/gateway`, with `/ear` for one that the gateway looks after.
    func contains(_ receiver: String) -> Bool {
        gateways.contains(receiver.split(separator: "/").prefix(4).joined(separator: "/")) && !deaf.contains(receiver)
    }
}

extension HeardReceivers: ExpressibleByArrayLiteral {
    init(arrayLiteral gateways: String...) { self.init(gateways: Set(gateways)) }
}
