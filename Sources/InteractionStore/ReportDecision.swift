/// Decision of an officer about a report that waited.
package struct ReportDecision: Equatable, Sendable {
    package enum Kind: String, Sendable {
        case confirmed, refused, withdrawn
    }

    package var kind: Kind
    package var reason: String
    /// Name of the officer.
    package var name: String
    /// Seconds since 1970.
    package var at: Int64

    package init(_ kind: Kind, reason: String, name: String, at: Int64) {
        self.kind = kind
        self.reason = reason
        self.name = name
        self.at = at
    }
}
