import BeaconModel
import HTTPServing
import JWTKit
import MatcherCore
import Matching
import OperatorText
import RecordContract

extension MatcherConfiguration {
    static func readAPI(_ root: TOMLReader) -> APISettings? {
        guard let reader = root.table("api") else { return nil }
        defer { reader.finish() }
        let form = ListenAddress.form
        if !reader.has("listen") { reader.missing("listen", allowed: form) }
        let listen = reader.parsed("listen", allowed: form) { ListenAddress($0) }
        let requests = reader.integer("requests-per-minute", in: 1...1_000_000) ?? 300
        let isBehindProxy = reader.boolean("behind-proxy") ?? false
        if reader.has("operator-token-file") {
            reader.retired(
                "operator-token-file",
                instead:
                    "give each operator a name and a token: [[operators]] name = \"desk\", token-file = \"desk.token\"",
                replacedBy: "")
        }
        return listen.map {
            APISettings(address: $0, requestsPerMinute: requests, isBehindProxy: isBehindProxy)
        }
    }

    /// Reads the kinds of subjects that stand for people.
    static func readOccupancyKinds(_ root: TOMLReader) -> Set<String> {
        guard let reader = root.table("occupancy") else { return [] }
        defer { reader.finish() }
        let kinds = reader.strings("kinds") ?? []
        for (index, kind) in kinds.enumerated() where SubjectIdentity(kind: kind, id: "x") == nil {
            reader.report(
                "kinds[\(index)]", found: "found \(kind.excerpt)", allowed: "must be a kind of subject, such as badge")
        }
        return Set(kinds)
    }

    static func readReports(
        _ root: TOMLReader, secrets: SecretAccess, readFile: (String) throws -> [UInt8]
    ) -> ReportSettings {
        var settings = ReportSettings()
        if let reader = root.table("reports") {
            defer { reader.finish() }
            settings.audience =
                reader.parsed("audience", allowed: "1 to 200 characters") {
                    (1...200).contains($0.utf8.count) ? $0 : nil
                } ?? settings.audience
            settings.retention = reader.integer("retention-days", in: 14...365).map(Int64.init) ?? settings.retention
            settings.pseudonymKeys = pseudonymKeys(reader, secrets, readFile)
        }
        let readers = root.tables("authorities")
        if readers.count > 64 {
            root.report("authorities", found: "has \(readers.count) entries", allowed: "must have at most 64")
        }
        settings.authorities = readers.prefix(64).compactMap { authority($0, secrets, readFile) }
        for (index, authority) in settings.authorities.enumerated() {
            let earlier = settings.authorities[..<index]
            guard earlier.contains(where: { $0.issuer == authority.issuer && $0.keyID == authority.keyID }) else {
                continue
            }
            root.report(
                "authorities[\(index)]", found: "has the issuer and key-id of an earlier entry",
                allowed: "must have a unique key-id: an issuer can have several keys")
        }
        return settings
    }

    private static func authority(
        _ reader: TOMLReader, _ secrets: SecretAccess, _ readFile: (String) throws -> [UInt8]
    ) -> HealthAuthority? {
        defer { reader.finish() }
        let issuerForm = "the iss of its tokens, 1 to 200 characters"
        let keyForm = "a file with its public key for ES256 (P-256) in PEM"
        if !reader.has("issuer") { reader.missing("issuer", allowed: issuerForm) }
        if !reader.has("key-file") { reader.missing("key-file", allowed: keyForm) }
        let issuer = reader.parsed("issuer", allowed: issuerForm) {
            // Of this one the matcher itself is the issuer.
            (1...200).contains($0.utf8.count) && $0 != CodeAuthority.issuer ? $0 : nil
        }
        let keyID = reader.parsed("key-id", allowed: "the kid of its tokens, 1 to 200 characters") {
            (1...200).contains($0.utf8.count) ? $0 : nil
        }
        guard let path = reader.string("key-file") else { return nil }
        guard let contents = secrets.read(reader, "key-file", path, for: .answers, isPublic: true, by: readFile)
        else { return nil }
        guard let key = try? ES256PublicKey(pem: String(decoding: contents, as: UTF8.self)) else {
            reader.report("key-file", found: "\(path) has no such key", allowed: "must be \(keyForm)")
            return nil
        }
        return issuer.map { HealthAuthority(issuer: $0, keyID: keyID, key: key) }
    }

    static func readNotices(
        _ root: TOMLReader, secrets: SecretAccess, readFile: (String) throws -> [UInt8]
    ) -> NoticeSettings {
        guard let reader = root.table("notices") else { return NoticeSettings() }
        defer { reader.finish() }
        let form = "https://HOST/PATH, or http:// on this machine"
        let webhook = reader.parsed("webhook", allowed: form) { isWebhook($0) ? $0 : nil }
        let key = key(reader, "webhook-key-file", secrets, readFile)
        if reader.has("webhook"), !reader.has("webhook-key-file") {
            reader.missing(
                "webhook-key-file",
                allowed: "a file of at least 16 random bytes, with which the recipient verifies the requests")
        }
        let sender = reader.parsed("sender", allowed: "1 to 100 characters on one line") {
            (1...100).contains($0.unicodeScalars.count) && $0.shown(upTo: 100) == $0 ? $0 : nil
        }
        return NoticeSettings(webhook: webhook, webhookKey: key, sender: sender)
    }

    private static func isWebhook(_ text: String) -> Bool {
        guard text.utf8.count <= 2000, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains("@") else {
            return false
        }
        if text.hasPrefix("https://") { return text.utf8.count > 8 }
        return ["127.0.0.1", "localhost", "[::1]"].contains { host in
            let rest = text.dropFirst("http://\(host)".count)
            return text.hasPrefix("http://\(host)") && (rest.isEmpty || rest.first == ":" || rest.first == "/")
        }
    }

    private static func key(
        _ reader: TOMLReader, _ key: String, _ secrets: SecretAccess, _ readFile: (String) throws -> [UInt8]
    ) -> [UInt8]? {
        guard let path = reader.string(key),
            let bytes = secrets.read(reader, key, path, for: .answers, by: readFile)
        else { return nil }
        guard bytes.count >= Pseudonymizer.shortestSecret else {
            reader.report(
                key, found: "\(path) has \(bytes.count) bytes",
                allowed: "must have at least \(Pseudonymizer.shortestSecret): head -c 32 /dev/urandom > FILE")
            return nil
        }
        return bytes
    }
}
