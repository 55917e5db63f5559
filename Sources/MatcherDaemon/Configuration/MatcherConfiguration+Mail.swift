import MatcherCore
import OperatorText

extension MatcherConfiguration {
    private static let longestUser = 255

    /// Reads the table `mail`.
    static func readMail(
        _ root: TOMLReader, secrets: SecretAccess, readFile: (String) throws -> [UInt8]
    ) -> MailSettings? {
        guard let reader = root.table("mail") else { return nil }
        defer { reader.finish() }
        for (key, form) in [("server", MailServer.form), ("from", Mailbox.form)] where !reader.has(key) {
            reader.missing(key, allowed: form)
        }
        let server = reader.parsed("server", allowed: MailServer.form) { MailServer($0) }
        let from = reader.parsed("from", allowed: Mailbox.form) { Mailbox($0) }
        let userForm = "1 to \(longestUser) characters without spaces: the name at the mail server"
        let user = reader.parsed("user", allowed: userForm) { isUser($0) ? $0 : nil }
        let password = reader.string("password-file").flatMap {
            secrets.firstLine(
                reader, "password-file", $0, for: .answers, secret: "the password at the mail server", by: readFile)
        }
        for (key, other) in [("user", "password-file"), ("password-file", "user")]
        where reader.has(key) && !reader.has(other) {
            reader.missing(other, allowed: "user and password-file together, or neither")
        }
        guard let server, let from else { return nil }
        let login = user.flatMap { user in password.map { MailSettings.Login(user: user, password: $0) } }
        return MailSettings(server: server, login: login, from: from)
    }

    private static func isUser(_ text: String) -> Bool {
        (1...longestUser).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
