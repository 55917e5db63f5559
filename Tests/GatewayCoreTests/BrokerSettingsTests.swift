import SystemIO
import Testing

@testable import GatewayCore
@testable import OperatorText
@testable import Publishing

@Suite("The tables mqtt and outbox") struct BrokerSettingsTests {
    private static let secrets = [
        "/password": "secret\n", "/psk": "00ff10\(String(repeating: "a", count: 26))\n", "/short-psk": "00ff10",
        "/empty": "\n", "/bad-psk": "no key", "/ca.pem": "PEM", "/cert.pem": "PEM",
        "/key.pem": "PEM", "/run/credentials/password": "from systemd",
    ]

    private func parse(_ tables: String) throws(ConfigurationError) -> Configuration {
        let locate = { CredentialPath.resolve($0, directory: "/run/credentials") }
        return try Configuration.parse(
            PlaceTable.text + tables, path: "gateway.toml",
            readFile: { path in
                guard let secret = Self.secrets[locate(path)] else { throw Missing(description: "no file \(path)") }
                return Array(secret.utf8)
            }, locate: locate)
    }

    private struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    private func problems(_ tables: String) -> [String] {
        do throws(ConfigurationError) {
            _ = try parse(tables)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test("Without the tables there is a broker on this machine, and an outbox of 256 MB for three days")
    func defaults() throws {
        let configuration = try parse("")
        #expect(configuration.broker.endpoints == [BrokerEndpoint(host: "localhost", port: 1883)])
        #expect(configuration.broker.version == .automatic)
        #expect(configuration.broker.tls == nil)
        #expect(configuration.outbox == OutboxRules())
    }

    @Test(
        "A broker is a host, with a port or without",
        arguments: [
            ("a", BrokerEndpoint(host: "a", port: 8883)), ("a:1", BrokerEndpoint(host: "a", port: 1)),
            ("[::1]", BrokerEndpoint(host: "::1", port: 8883)), ("[::1]:2", BrokerEndpoint(host: "::1", port: 2)),
            ("fe80::1", BrokerEndpoint(host: "fe80::1", port: 8883)), ("", nil), (":1", nil), ("a:", nil),
            ("a:0", nil), ("a:65536", nil), ("a:+1", nil), ("a b", nil), ("[::1", nil), ("[::1]x", nil),
        ])
    func endpoints(_ text: String, _ endpoint: BrokerEndpoint?) {
        #expect(BrokerSettings.endpoint(text, defaultPort: 8883) == endpoint)
    }

    @Test("Brokers are in the order of preference, by TLS on another port")
    func brokers() throws {
        let broker = try parse(
            """
            [mqtt]
            brokers = ["one.example.org", "two.example.org:1884"]
            version = "3.1.1"
            in-flight = 20
            connect-timeout = "5s"
            acknowledge-timeout = "7s"
            session-expiry = "1h"
            presence-expiry = "10m"
            [mqtt.tls]
            """
        ).broker
        #expect(broker.endpoints.map(\.description) == ["one.example.org:8883", "two.example.org:1884"])
        #expect(broker.version == .threeOneOne)
        #expect(broker.inFlight == 20)
        #expect(broker.connectTimeout == .seconds(5))
        #expect(broker.acknowledgeTimeout == .seconds(7))
        #expect(broker.sessionExpiry == .seconds(3600))
        #expect(broker.presenceExpiry == .seconds(600))
        #expect(broker.tls == TLSConfiguration())
    }

    @Test("TLS verifies the broker unless it is told not to, by the system's certificates or an own CA's")
    func tls() throws {
        let tls = try #require(
            try parse(
                """
                [mqtt.tls]
                ca-file = "/ca.pem"
                certificate-file = "/cert.pem"
                key-file = "/key.pem"
                """
            ).broker.tls)
        #expect(tls.authority == .file("/ca.pem"))
        #expect(tls.certificate == "/cert.pem")
        #expect(tls.key == "/key.pem")
        #expect(tls.verifiesServer)
        #expect(try parse("[mqtt.tls]\nverify-server = false").broker.tls?.verifiesServer == false)
    }

    @Test("A pre-shared key comes from a file, and isn't described")
    func preSharedKey() throws {
        let broker = try parse("[mqtt.tls]\npsk-identity = \"gw\"\npsk-file = \"/psk\"").broker
        #expect(broker.tls?.preSharedKey == .init(identity: "gw", key: "00ff10" + String(repeating: "a", count: 26)))
        #expect(!"\(broker) \(broker.tls.debugDescription)".contains("00ff10"))
    }

    @Test("A secret may be a credential of the service")
    func credential() throws {
        let broker = try parse("[mqtt]\nusername = \"gw\"\npassword-file = \"credential:password\"").broker
        #expect(broker.password == "from systemd")
    }

    private static let confidential = """
        [place]
        site = "s"
        building = "b"
        floor = "1"
        gateway = "g"
        beacon = { uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0", major = 1, minor = 1 }
        [mqtt]
        username = "gw"
        password-file = "credential:password"
        [mqtt.tls]
        ca-file = "/etc/ca.pem"
        certificate-file = "credential:certificate"
        key-file = "credential:key"
        [phones]
        pseudonym-key-file = "credential:pseudonyms"
        """

    @Test("A command that needs no secret opens none of the files that have them")
    func unneeded() throws {
        let secrets = SecretAccess(for: [], hasCredentials: false)
        let configuration = try Configuration.parse(
            Self.confidential, path: "gateway.toml", secrets: secrets,
            readFile: { path in throw Missing(description: "opened \(path)") })
        #expect(configuration.broker.username == "gw")
        #expect(configuration.broker.password == nil)
        #expect(configuration.broker.tls != nil)
        #expect(secrets.withheld.isEmpty)
    }

    @Test("A secret that systemd gives to the service alone is an error that says how to get it")
    func withheld() {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try Configuration.parse(
                Self.confidential, path: "gateway.toml",
                secrets: SecretAccess(for: [.brokerPassword], hasCredentials: false), readFile: { _ in [] })
        }
        let expected =
            "mqtt.password-file: is credential:password, which systemd passes only to the service; run this with the "
            + "credential: sudo systemd-run --pipe --wait --property=LoadCredential=password:FILE COMMAND"
        #expect(error?.problems.count == 1)
        #expect(error?.problems.first?.description.hasPrefix(expected) == true, "\(error.debugDescription)")
    }

    @Test("A check passes without the secrets that only the service has, and says which they are")
    func tolerated() throws {
        let secrets = SecretAccess(hasCredentials: false, isTolerant: true)
        _ = try Configuration.parse(
            Self.confidential, path: "gateway.toml", secrets: secrets, readFile: { _ in [] })
        #expect(
            secrets.withheld.map(\.location) == [
                "mqtt.tls.certificate-file", "mqtt.tls.key-file", "mqtt.password-file", "phones.pseudonym-key-file",
            ])
        #expect(secrets.uncheckedLines.count == 4)
    }

    @Test(
        "A credential's name can't lead elsewhere",
        arguments: ["credential:../etc/shadow", "credential:", "credential:.."])
    func hostileCredential(_ text: String) {
        #expect(CredentialPath.resolve(text, directory: "/run/c").hasPrefix("$CREDENTIALS_DIRECTORY/"))
        #expect(CredentialPath.resolve("credential:a", directory: nil) == "$CREDENTIALS_DIRECTORY/a")
    }

    @Test("The outbox has a size, an age, a pace and a confirmation")
    func outbox() throws {
        let rules = try parse(
            """
            [outbox]
            max-size = "1GB"
            max-age = "24h"
            drain-rate = 50
            confirm = "consumer"
            confirm-timeout = "10s"
            write-delay = "500ms"
            """
        ).outbox
        #expect(
            rules
                == OutboxRules(
                    bytes: 1_000_000_000, age: .seconds(86_400), drainRate: 50, confirmation: .consumer,
                    confirmTimeout: .seconds(10), writeDelay: .milliseconds(500)))
    }

    @Test("The write delay is the medium's unless it is configured, and none is a value as well")
    func writeDelay() throws {
        #expect(try parse("").outbox.writeDelay == nil)
        #expect(try parse("[outbox]\nwrite-delay = \"auto\"").outbox.writeDelay == nil)
        #expect(try parse("[outbox]\nwrite-delay = \"0s\"").outbox.writeDelay == .zero)
    }

    @Test(
        "What is wrong is named by its key, with what is allowed",
        arguments: [
            ("[mqtt]\nbrokers = []", "mqtt.brokers: has 0 entries"),
            ("[mqtt]\nbrokers = [\"a\", \"a:1883\"]", "mqtt.brokers[1]: \"a:1883\" is duplicated"),
            ("[mqtt]\nhost = \"a\"\nbrokers = [\"a\"]", "mqtt.host: is given together with brokers"),
            ("[mqtt]\nhost = \"a:8883\"", "mqtt.host: found \"a:8883\"; must be only a host name or address"),
            ("[mqtt]\nhost = \"mqtts://a\"", "mqtt.host: found \"mqtts://a\""),
            ("[mqtt]\nbrokers = [\"mqtts://a:8883\"]", "mqtt.brokers[0]: found"),
            ("[mqtt]\nbrokers = [\"a:b:c\"]", "mqtt.brokers[0]: found"),
            ("[mqtt]\nversion = \"4\"", "mqtt.version: found \"4\"; must be one of \"auto\", \"5\", \"3.1.1\""),
            ("[mqtt]\nin-flight = 0", "mqtt.in-flight: found 0"),
            ("[mqtt]\noutbox-records = 10", "mqtt.outbox-records: is no longer supported"),
            ("[mqtt]\npassword-file = \"/password\"", "mqtt.username: is missing"),
            ("[mqtt.tls]\nca-file = \"/none\"", "mqtt.tls.ca-file: no file /none"),
            ("[mqtt.tls]\nkey-file = \"/key.pem\"", "mqtt.tls.certificate-file: is missing"),
            ("[mqtt.tls]\npsk-identity = \"a\"", "mqtt.tls.psk-file: is missing"),
            ("[mqtt.tls]\npsk-file = \"/psk\"", "mqtt.tls.psk-identity: is missing"),
            ("[mqtt.tls]\npsk-identity = \"a\"\npsk-file = \"/bad-psk\"", "mqtt.tls.psk-file: /bad-psk has no key"),
            (
                "[mqtt.tls]\npsk-identity = \"a\"\npsk-file = \"/short-psk\"",
                "mqtt.tls.psk-file: /short-psk has no key of 32 digits or more"
            ),
            ("[mqtt]\nusername = \"a\"\npassword-file = \"/empty\"", "mqtt.password-file: /empty is empty"),
            (
                "[mqtt.tls]\npsk-identity = \"a\"\npsk-file = \"/psk\"\nverify-server = true",
                "mqtt.tls.verify-server: is given together with psk-identity"
            ),
            ("[mqtt.tls]\ncafile = \"/ca.pem\"", "mqtt.tls.cafile: is unknown"),
            ("[outbox]\nmax-size = \"1kB\"", "outbox.max-size: found \"1kB\""),
            ("[outbox]\nmax-age = \"1s\"", "outbox.max-age: found \"1s\""),
            ("[outbox]\nconfirm = \"nobody\"", "outbox.confirm: found \"nobody\"; must be \"broker\" or \"consumer\""),
            ("[outbox]\ndrain-rate = 0", "outbox.drain-rate: found 0.0"),
            ("[outbox]\nwrite-delay = \"2s\"", "outbox.write-delay: found \"2s\"; must be \"auto\", or a duration"),
        ])
    func mistakes(_ tables: String, _ expected: String) {
        let found = problems(tables)
        #expect(found.contains { $0.hasPrefix(expected) }, "\(found)")
    }
}
