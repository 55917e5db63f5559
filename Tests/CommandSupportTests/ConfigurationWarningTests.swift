import Publishing
import Testing

@Suite("Settings that an attacker would like") struct ConfigurationWarningTests {
    private func keys(_ change: (inout BrokerConfiguration) -> Void) -> [String] {
        var broker = BrokerConfiguration(host: "127.0.0.1", port: 1883, clientID: "c")
        change(&broker)
        return ConfigurationWarning.warnings(of: broker).map { "\($0.key) \($0.found)" }
    }

    @Test(arguments: ["localhost", "127.0.0.1", "127.8.9.10", "::1"])
    func `A broker on this machine needs nothing`(host: String) {
        #expect(keys { $0.endpoints = [BrokerEndpoint(host: host, port: 1883)] } == [])
    }

    @Test(arguments: [
        "broker.example.org", "10.0.0.1", "127.0.0.1.example.org", "127.0.0", "localhost.example", "0.0.0.0", "::",
    ])
    func `A broker elsewhere needs TLS and a name`(host: String) {
        #expect(
            keys { $0.endpoints = [BrokerEndpoint(host: host, port: 1883)] } == [
                "mqtt has no TLS, and the broker is at \(BrokerEndpoint(host: host, port: 1883))",
                "mqtt has neither a username nor a certificate",
            ])
        #expect(
            keys {
                $0.endpoints = [BrokerEndpoint(host: host, port: 8883)]
                ($0.tls, $0.username) = (TLSConfiguration(), "u")
            } == [])
    }

    @Test func `A server that isn't verified is said, wherever it is`() {
        var tls = TLSConfiguration()
        tls.verifiesServer = false
        #expect(keys { $0.tls = tls } == ["mqtt.tls.verify-server is false"])
    }
}
