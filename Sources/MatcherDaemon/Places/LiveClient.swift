/// Client of an event stream of live positions, by how it is authenticated.
enum LiveClient: Equatable, Sendable {
    /// An operator with a token. The stream ends when the token or the role changes.
    case `operator`(OperatorCredential)
    /// Somebody who signed in at the page, by the hash of the session. The stream ends at the sign-out, and after
    /// `longestOfSession`: the browser asks again at once, which a session that was ended elsewhere cannot.
    case session(hash: String)

    /// Longest time of a stream of a session.
    static let longestOfSession: Duration = .seconds(600)

    /// Longest time of a stream; `nil` if it has no limit.
    var longest: Duration? {
        switch self {
        case .operator: nil
        case .session: Self.longestOfSession
        }
    }

    var isSession: Bool {
        switch self {
        case .operator: false
        case .session: true
        }
    }

    /// Returns whether two clients share a limit: those of one operator, or of one session.
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.operator(let one), .operator(let other)): one.name == other.name
        case (.session(let one), .session(let other)): one == other
        case (.operator, .session), (.session, .operator): false
        }
    }
}
