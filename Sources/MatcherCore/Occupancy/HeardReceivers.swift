/// Receivers that are known to work: where none does, an empty room means nothing.
package struct HeardReceivers: Equatable, Sendable {
    /// Gateways that stated recently that they receive, `site/building/floor/gateway`.
    package var gateways: Set<String>
    /// Receivers of these gateways that do not receive. The path of a remote receiver begins with its gateway's.
    package var deaf: Set<String> = []

    /// Returns whether a receiver is known to work.
    ///
    /// - Parameter receiver: `site/building/floor/gateway`, followed by `/` and the name for a remote receiver of the
    ///   gateway.
    package func contains(_ receiver: String) -> Bool {
        gateways.contains(receiver.split(separator: "/").prefix(4).joined(separator: "/")) && !deaf.contains(receiver)
    }
}

extension HeardReceivers: ExpressibleByArrayLiteral {
    package init(arrayLiteral gateways: String...) { self.init(gateways: Set(gateways)) }
}
