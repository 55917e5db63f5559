import OperatorText
import RecordContract

extension MatcherConfiguration {
    private static let mostPseudonymKeys = 8

    /// Reads the keys by which gateways name phones: the present one, and former ones as long as their records are
    /// kept.
    static func pseudonymKeys(
        _ reader: TOMLReader, _ secrets: SecretAccess, _ readFile: (String) throws -> [UInt8]
    ) -> [[UInt8]] {
        let name = "pseudonym-key-files"
        if reader.has("pseudonym-key-file") {
            reader.retired(
                "pseudonym-key-file", instead: "use \(name) = [\"FILE\"], followed by the files of older keys",
                replacedBy: name)
        }
        guard let paths = reader.strings(name) else { return [] }
        guard (1...mostPseudonymKeys).contains(paths.count) else {
            reader.report(
                name, found: "has \(paths.count) entries",
                allowed: "must have 1 to \(mostPseudonymKeys), or be omitted")
            return []
        }
        var keys: [[UInt8]] = []
        for (index, path) in paths.enumerated() {
            let place = "\(name)[\(index)]"
            guard let key = secrets.read(reader, place, path, for: .answers, by: readFile) else { continue }
            if key.count < Pseudonymizer.shortestSecret {
                reader.report(
                    place, found: "\(path) has \(key.count) bytes",
                    allowed: "must have at least \(Pseudonymizer.shortestSecret): head -c 32 /dev/urandom > FILE")
            } else if keys.contains(key) {
                reader.report(
                    place, found: "\(path) has key \(Pseudonymizer.keyID(of: key)), like an earlier file",
                    allowed: "must have another key: list each key once")
            } else {
                keys.append(key)
            }
        }
        return keys
    }
}
