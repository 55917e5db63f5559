import OperatorText
import RecordContract

extension MatcherConfiguration {
    static func readSigning(
        _ root: TOMLReader, secrets: SecretAccess, readFile: (String) throws -> [UInt8]
    ) -> MessageVerifier? {
        guard let reader = root.table("signing") else { return nil }
        defer { reader.finish() }
        let form = "files of at least \(Pseudonymizer.shortestSecret) random bytes, the present key first"
        if !reader.has("key-files") { reader.missing("key-files", allowed: form) }
        let isRequired = reader.boolean("required") ?? true
        guard let paths = reader.strings("key-files") else { return nil }
        if paths.isEmpty || paths.count > 8 {
            reader.report("key-files", found: "has \(paths.count) entries", allowed: "must have 1 to 8")
        }
        let keys = paths.enumerated().compactMap { index, path -> SiteKey? in
            let location = "key-files[\(index)]"
            guard let secret = secrets.read(reader, location, path, for: .signing, by: readFile) else { return nil }
            guard let key = SiteKey(secret: secret) else {
                reader.report(
                    location, found: "\(path) has \(secret.count) bytes",
                    allowed: "must have at least \(Pseudonymizer.shortestSecret): head -c 32 /dev/urandom > FILE")
                return nil
            }
            return key
        }
        // Without keys nothing is verified. This must not make messages trusted: commands that accept messages read the
        // keys.
        return keys.isEmpty ? nil : MessageVerifier(keys: keys, isRequired: isRequired)
    }
}
