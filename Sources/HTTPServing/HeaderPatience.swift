package import NIOCore

/// Deadlines for a request's header.
package struct HeaderPatience: Sendable {
    /// Time from the beginning of the connection, and from the first byte of each later header.
    package var first: TimeAmount
    /// Time from the previous answer until the first byte of the next header.
    package var next: TimeAmount

    package init(first: TimeAmount = .seconds(10), next: TimeAmount = .seconds(60)) {
        self.first = first
        self.next = next
    }

    package init(firstSeconds: Int64, nextSeconds: Int64) {
        self.init(first: .seconds(firstSeconds), next: .seconds(nextSeconds))
    }
}
