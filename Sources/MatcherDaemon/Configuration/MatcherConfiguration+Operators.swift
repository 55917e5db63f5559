import OperatorText
import RecordContract

extension MatcherConfiguration {
    private static let mostOperators = 64

    static func readOperators(
        _ root: TOMLReader, secrets: SecretAccess, readFile: (String) throws -> [UInt8]
    ) -> [OperatorCredential] {
        let readers = root.tables("operators")
        if readers.count > mostOperators {
            root.report(
                "operators", found: "has \(readers.count) entries", allowed: "must have at most \(mostOperators)")
        }
        var operators: [OperatorCredential] = []
        for reader in readers.prefix(mostOperators) {
            defer { reader.finish() }
            let form = "1 to 64 characters of a-z, 0-9 and -"
            for (key, form) in [("name", form), ("token-file", "a file whose first line is the token")]
            where !reader.has(key) { reader.missing(key, allowed: form) }
            let name = reader.parsed("name", allowed: form) { Topics.isLevel($0) && $0.utf8.count <= 64 ? $0 : nil }
            let role =
                reader.parsed("role", allowed: "\"operator\" or \"officer\"") { OperatorRole(rawValue: $0) }
                ?? .operator
            guard let token = token(reader, "token-file", secrets, readFile), let name else { continue }
            if operators.contains(where: { $0.name == name }) {
                reader.report("name", found: "found \(name.excerpt) again", allowed: "each must be unique")
            }
            if operators.contains(where: { $0.token == token }) {
                reader.report(
                    "token-file", found: "has another operator's token",
                    allowed: "each operator must have a unique token")
            }
            operators.append(OperatorCredential(name: name, token: token, role: role))
        }
        return operators
    }

    /// Reads an operator's token: the first line of a file, because editors end it with a newline.
    private static func token(
        _ reader: TOMLReader, _ key: String, _ secrets: SecretAccess, _ readFile: (String) throws -> [UInt8]
    ) -> [UInt8]? {
        guard let path = reader.string(key), let bytes = secrets.read(reader, key, path, for: .answers, by: readFile)
        else { return nil }
        let line = Array(bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") })
        guard line.count >= Pseudonymizer.shortestSecret, line.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            reader.report(
                key, found: "its first line has \(line.count) bytes, or bytes that are not allowed in a header",
                allowed: "must have at least \(Pseudonymizer.shortestSecret): head -c 32 /dev/urandom | base64 > FILE")
            return nil
        }
        return line
    }
}
