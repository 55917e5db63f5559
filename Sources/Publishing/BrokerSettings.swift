package import OperatorText

/// Reader for the table `mqtt`: the brokers, and how to connect to them.
package struct BrokerSettings {
    /// The client identifier of this program's session. A second client with the same identifier takes the connection
    /// over.
    private let clientID: String
    /// Returns the contents of a file.
    private let readFile: (String) throws -> [UInt8]
    /// Returns the path of a file that is read later.
    private let locate: (String) -> String
    private let secrets: SecretAccess
    private let inFlight: InFlight

    /// Limits for the number of messages that wait for their acknowledgement.
    package struct InFlight: Sendable {
        /// The default value.
        package let usual: Int
        package let most: Int

        package init(usual: Int, most: Int) {
            self.usual = usual
            self.most = most
        }

        /// Limits for a publisher.
        package static let publisher = InFlight(usual: 100, most: 1000)
    }

    package static func read(
        _ reader: TOMLReader?, clientID: String, inFlight: InFlight = .publisher, secrets: SecretAccess,
        readFile: (String) throws -> [UInt8], locate: (String) -> String
    ) -> BrokerConfiguration {
        withoutActuallyEscaping(readFile) { readFile in
            withoutActuallyEscaping(locate) { locate in
                BrokerSettings(
                    clientID: clientID, readFile: readFile, locate: locate, secrets: secrets, inFlight: inFlight
                ).read(reader)
            }
        }
    }

    private func read(_ reader: TOMLReader?) -> BrokerConfiguration {
        var broker = BrokerConfiguration(host: "localhost", port: 1883, clientID: clientID)
        broker.inFlight = inFlight.usual
        guard let reader else { return broker }
        defer { reader.finish() }
        broker.tls = reader.table("tls").map { readTLS($0) }
        let defaultPort: UInt16 = broker.tls == nil ? 1883 : 8883
        broker.endpoints = readEndpoints(reader, defaultPort: defaultPort)
        broker.username = reader.string("username")
        if let path = reader.string("password-file"),
            let password = line(reader, "password-file", path, for: .brokerPassword)
        {
            if password.isEmpty {
                reader.report(
                    "password-file", found: "\(path) is empty", allowed: "must hold the password in its first line")
            }
            broker.password = password
            if broker.username == nil { reader.missing("username", allowed: "given together with password-file") }
        }
        if let keepAlive = reader.duration("keep-alive", in: .seconds(5)...(.seconds(3600))) {
            broker.keepAlive = Int(keepAlive.components.seconds)
        }
        let timeouts: ClosedRange<Duration> = .seconds(1)...(.seconds(300))
        broker.connectTimeout = reader.duration("connect-timeout", in: timeouts) ?? broker.connectTimeout
        broker.acknowledgeTimeout =
            reader.duration("acknowledge-timeout", in: .seconds(5)...(.seconds(3600))) ?? broker.acknowledgeTimeout
        broker.inFlight = reader.integer("in-flight", in: 1...inFlight.most) ?? broker.inFlight
        let versions = BrokerConfiguration.VersionChoice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        broker.version =
            reader.parsed("version", allowed: "one of \(versions)") { .init(rawValue: $0) } ?? broker.version
        let expiries: ClosedRange<Duration> = .zero...(.seconds(365 * 86_400))
        broker.sessionExpiry = reader.duration("session-expiry", in: expiries) ?? broker.sessionExpiry
        broker.presenceExpiry =
            reader.duration("presence-expiry", in: .seconds(60)...(.seconds(365 * 86_400))) ?? broker.presenceExpiry
        if reader.has("outbox-records") {
            reader.retired(
                "outbox-records", instead: "the outbox is on disk: [outbox] with max-size and max-age", replacedBy: "")
        }
        return broker
    }

    private static let mostBrokers = 8
    /// Minimum number of hexadecimal digits of a pre-shared key. Anyone who guesses the key can impersonate the broker.
    private static let shortestKey = 32

    private func readEndpoints(_ reader: TOMLReader, defaultPort: UInt16) -> [BrokerEndpoint] {
        var endpoint = BrokerEndpoint(host: "localhost", port: defaultPort)
        if let host = reader.parsed(
            "host", allowed: "only a host name or address: set the port in mqtt.port, TLS in [mqtt.tls]",
            { Self.isHost($0) ? $0 : nil })
        {
            endpoint.host = host
        }
        if let port = reader.integer("port", in: 1...65535) { endpoint.port = UInt16(clamping: port) }
        guard let texts = reader.strings("brokers") else { return [endpoint] }
        for key in ["host", "port"] where reader.has(key) {
            reader.report(key, found: "is given together with brokers", allowed: "give only one of the two")
        }
        var endpoints: [BrokerEndpoint] = []
        for (index, text) in texts.enumerated() {
            guard let endpoint = Self.endpoint(text, defaultPort: defaultPort) else {
                reader.report(
                    "brokers[\(index)]", found: "found \(text.excerpt)",
                    allowed: "must be a host, or a host and a port: \"broker.example.org:8883\"")
                continue
            }
            if endpoints.contains(endpoint) {
                reader.report("brokers[\(index)]", found: "\(text.excerpt) is duplicated", allowed: "name each once")
            }
            endpoints.append(endpoint)
        }
        if texts.isEmpty || texts.count > Self.mostBrokers {
            reader.report(
                "brokers", found: "has \(texts.count) entries", allowed: "must have 1 to \(Self.mostBrokers)")
        }
        return endpoints.isEmpty ? [endpoint] : endpoints
    }

    private static func isHost(_ text: String) -> Bool {
        guard !text.isEmpty, text.utf8.count <= 253,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") })
        else { return false }
        // The zone of a link-local address is not part of the address.
        return !text.contains(":") || IPv6Text.isAddress(text.prefix { $0 != "%" })
    }

    /// Parses `host`, `host:port`, `[::1]`, `[::1]:port` or an IPv6 address.
    package static func endpoint(_ text: String, defaultPort: UInt16) -> BrokerEndpoint? {
        var host = text[...]
        var port: Substring?
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if text.hasPrefix("[") {
            return nil
        } else if text.count(where: { $0 == ":" }) == 1, let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        }
        guard isHost(String(host)) else { return nil }
        guard let port else { return BrokerEndpoint(host: String(host), port: defaultPort) }
        guard let number = UInt16(port), number > 0, port.allSatisfy(\.isNumber) else { return nil }
        return BrokerEndpoint(host: String(host), port: number)
    }

    private func readTLS(_ reader: TOMLReader) -> TLSConfiguration {
        defer { reader.finish() }
        var tls = TLSConfiguration()
        if let path = file(reader, "ca-file", isPublic: true) { tls.authority = .file(path) }
        tls.certificate = file(reader, "certificate-file", isPublic: true)
        tls.key = file(reader, "key-file", isPublic: false)
        if (tls.certificate == nil) != (tls.key == nil), reader.has("certificate-file") != reader.has("key-file") {
            reader.missing(
                tls.key == nil ? "key-file" : "certificate-file",
                allowed: "given: a certificate requires its key")
        }
        tls.verifiesServer = reader.boolean("verify-server") ?? true
        if let identity = reader.string("psk-identity") {
            if let path = reader.string("psk-file"), let key = line(reader, "psk-file", path, for: .brokerTLS) {
                let isKey =
                    (Self.shortestKey...512).contains(key.utf8.count) && key.utf8.count % 2 == 0
                    && key.allSatisfy(\.isHexDigit)
                if isKey {
                    tls.preSharedKey = .init(identity: identity, key: key)
                } else {
                    reader.report(
                        "psk-file", found: "\(path) has no key of \(Self.shortestKey) digits or more",
                        allowed: "must contain hexadecimal digits on one line: openssl rand -hex 32 > FILE")
                }
            } else if !reader.has("psk-file") {
                reader.missing("psk-file", allowed: "given with psk-identity")
            }
            for key in ["ca-file", "certificate-file", "key-file", "verify-server"] where reader.has(key) {
                reader.report(
                    key, found: "is given together with psk-identity",
                    allowed: "must be omitted: a pre-shared key uses no certificates")
            }
        } else if reader.has("psk-file") {
            _ = reader.string("psk-file")
            reader.missing("psk-identity", allowed: "given with psk-file")
        }
        return tls
    }

    /// Returns the path of a file that must be readable now and is read again for every connection.
    private func file(_ reader: TOMLReader, _ key: String, isPublic: Bool) -> String? {
        guard let path = reader.string(key) else { return nil }
        _ = secrets.read(
            reader, key, path, for: .brokerTLS, form: "must be a PEM file that this user can read", isPublic: isPublic,
            by: readFile)
        return locate(path)
    }

    /// Returns the first line of a file, since editors end a file with a line break.
    private func line(
        _ reader: TOMLReader, _ key: String, _ path: String, for purpose: SecretAccess.Purpose
    ) -> String? {
        secrets.read(reader, key, path, for: purpose, by: readFile).map {
            String(String(decoding: $0, as: UTF8.self).prefix { !$0.isNewline })
        }
    }
}
