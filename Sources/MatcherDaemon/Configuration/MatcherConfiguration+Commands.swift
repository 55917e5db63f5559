import OperatorText
import RecordContract

extension MatcherConfiguration {
    /// Reads the table `commands`.
    static func readCommands(
        _ root: TOMLReader, secrets: SecretAccess, readFile: (String) throws -> [UInt8]
    ) -> CommandSettings? {
        guard let reader = root.table("commands") else { return nil }
        defer { reader.finish() }
        if !root.has("page") {
            root.report(
                "commands", found: "is given without [page]",
                allowed: "needs a table [page]: operators give commands there")
        }
        let key = "key-file"
        let isSigned = reader.boolean("signed") ?? true
        let path = reader.string(key)
        guard isSigned else {
            if path != nil {
                reader.report(
                    key, found: "is given together with signed = false", allowed: "give only one of the two")
            }
            return .unsigned
        }
        if !reader.has(key) {
            reader.missing(
                key,
                allowed: "the file that `beacon-gateway sign-command --key-file` reads; signed = false if no gateway "
                    + "has a commands.key-file")
        }
        guard let path, let secret = secrets.read(reader, key, path, for: .commands, by: readFile) else { return nil }
        guard let site = SiteKey(secret: secret) else {
            reader.report(
                key, found: "\(path) has \(secret.count) bytes",
                allowed: "must have at least \(Pseudonymizer.shortestSecret): head -c 32 /dev/urandom > FILE")
            return nil
        }
        return .signed(site)
    }

    /// Whether operators can command modules on the page, in one line; `nil` without a page.
    package var commandsLine: String? {
        guard page != nil else { return nil }
        return switch commands {
        case .signed?: "commands to modules are on: signed with the key of commands.key-file"
        case .unsigned?: "commands to modules are on: not signed"
        case nil where namesCommands: "commands to modules are on: their key was not checked"
        case nil: "commands to modules are off: there is no table [commands]"
        }
    }
}
