import OperatorText
import RecordContract

/// Files with the keys with which a gateway signs and checks commands.
enum SigningKeyFile {
    /// Reads the table `signing`.
    static func readSigning(
        _ root: TOMLReader, secrets: SecretAccess, readFile: (String) throws -> [UInt8]
    ) -> SigningKey? {
        guard let reader = root.table("signing") else { return nil }
        defer { reader.finish() }
        if !(reader.boolean("remote-receivers") ?? false), root.has("remote-receivers") {
            reader.report(
                "remote-receivers", found: reader.has("remote-receivers") ? "is false" : "is missing",
                allowed:
                    "must be true together with [[remote-receivers]]: nodes sign nothing, so what they receive is signed "
                    + "in the name of this gateway, whoever published it; or remove [signing] or [[remote-receivers]]")
        }
        if !reader.has("key-file") {
            reader.missing("key-file", allowed: "a file with the output of `beacon-matcher gateway-key`")
        }
        return read(reader, of: "beacon-matcher gateway-key", for: .signing, secrets: secrets, readFile: readFile)
    }

    /// Reads the key that `key-file` of a table names.
    ///
    /// - Parameter command: the command that prints such a key.
    static func read(
        _ reader: TOMLReader, of command: String, for purpose: SecretAccess.Purpose, secrets: SecretAccess,
        readFile: (String) throws -> [UInt8]
    ) -> SigningKey? {
        guard let path = reader.string("key-file"),
            let contents = secrets.read(reader, "key-file", path, for: purpose, by: readFile)
        else { return nil }
        guard let key = SigningKey(file: contents) else {
            reader.report(
                "key-file", found: "\(path) holds no key",
                allowed: "must hold the output of `\(command) SITE/BUILDING/FLOOR/GATEWAY`: \(SigningKey.form)")
            return nil
        }
        return key
    }
}
