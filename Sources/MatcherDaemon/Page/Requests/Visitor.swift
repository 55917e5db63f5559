import SignIn
import SystemIO

/// Account that a request was found to come from, for the log: noted where the session is read.
struct Visitor: Sendable {
    private let account = LockedValue<Account?>(nil)

    func note(_ account: Account) { self.account.withLock { $0 = account } }

    /// Name for the log; `nil` if nobody is signed in. Students are not told apart.
    var shown: String? {
        account.withLock { account in account.map { $0.roles == [.student] ? "student" : $0.name } }
    }
}
