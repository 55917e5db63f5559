/// Client of an event stream of live positions, by how it is authenticated.
enum LiveClient: Equatable, Sendable {
    /// An operator with a token. The stream ends when the token or the role changes.
    case `operator`(OperatorCredential)
    /// Somebody who signed in on the page, by the hash of the session, with the account (`Account.key`). The stream ends
    /// at the sign-out, and after `longestOfSession`: the browser asks again at once, which a session that was ended
    /// elsewhere cannot.
    case session(hash: String, account: String)

    /// Longest time of a stream of a session.
    static let longestOfSession: Duration = .seconds(600)

    /// Longest time of a stream; `nil` if it has no limit.
    var longest: Duration? {
        switch self {
        case .operator: nil
        case .session: Self.longestOfSession
        }
    }

    var isSession: Bool { sessionHash != nil }

    /// Hash of the session; `nil` for an operator.
    var sessionHash: String? {
        switch self {
        case .operator: nil
        case .session(let hash, _): hash
        }
    }

    /// Account of the session; `nil` for an operator.
    var account: String? {
        switch self {
        case .operator: nil
        case .session(_, let account): account
        }
    }

    /// Returns whether two clients share a limit: those of one operator, or of one session.
    func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.operator(let one), .operator(let other)): one.name == other.name
        case (.session(let one, _), .session(let other, _)): one == other
        case (.operator, .session), (.session, .operator): false
        }
    }
}
