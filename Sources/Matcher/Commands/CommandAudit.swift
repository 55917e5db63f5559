import BeaconModel
import Glibc
import InteractionStore
import OperatorText
import SignIn
import SystemIO

/// Entries of the audit about commands. They have the actions of the page where the page has the same.
///
/// Nothing is shown that is not noted, and what changes is noted in the same transaction.
enum CommandAudit {
    /// Maximum length of a user's name, in Unicode scalars.
    private static let longestName = 64

    /// The account under which the audit has this process.
    static var present: Account {
        account(user: user(sudo: getenv("SUDO_USER").map { String(cString: $0) }, uid: getuid()), uid: getuid())
    }

    /// Returns the account of a user of the system.
    ///
    /// - Parameter user: `nil` if the system has no name for the user.
    static func account(user: String?, uid: UInt32) -> Account {
        let name = user.flatMap { $0.isEmpty ? nil : $0.shown(upTo: longestName) } ?? "\(uid)"
        return Account(issuer: Account.local, subject: "uid \(uid)", name: "command line, \(name)", roles: [])
    }

    /// Returns the name of a user of the system; `nil` if it has none.
    ///
    /// - Parameter sudo: name of the user who ran `sudo`: the store often belongs to a user as whom nobody signs in.
    static func user(sudo: String?, uid: UInt32) -> String? {
        if let sudo, !sudo.isEmpty { return sudo }
        guard let entry = getpwuid(uid), let name = entry.pointee.pw_name else { return nil }
        return String(cString: name)
    }

    /// Returns an entry of this moment about this process.
    static func entry(_ action: AuditEntry.Action, _ object: String = "", detail: String = "") -> AuditEntry {
        AuditEntry(
            at: WallClock.now().microseconds / 1_000_000, account: present, action: action, object: object,
            detail: detail)
    }
}

extension InteractionStore {
    /// Notes in the audit what a command is about to show.
    ///
    /// - Throws: `StoreError`: nothing is shown that is not noted.
    func noteCommand(_ action: AuditEntry.Action, _ object: String = "", detail: String = "") throws {
        do {
            try note(CommandAudit.entry(action, object, detail: detail))
        } catch let error as StoreError {
            // Who only wants to read does not expect that the command writes.
            throw StoreError(
                "the entry of the audit could not be stored: \(error.what)",
                meaning: "nothing is shown, because nothing is shown that is not in the audit",
                remedy: (error.remedy.map { "\($0); " } ?? "") + "repeat the command when the store can be written",
                exitStatus: error.exitStatus)
        }
    }
}
