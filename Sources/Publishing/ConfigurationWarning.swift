/// A setting that works but helps an attacker. Pure.
package struct ConfigurationWarning: Equatable, Sendable {
    /// The setting, for example `mqtt.tls.verify-server`.
    package var key: String
    /// The finding, for example `is false`.
    package var found: String
    /// The consequence of the setting.
    package var meaning: String
    /// The recommended action.
    package var remedy: String

    package init(key: String, found: String, meaning: String, remedy: String) {
        self.key = key
        self.found = found
        self.meaning = meaning
        self.remedy = remedy
    }

    /// The warning as one line of text.
    package var text: String { "\(key) \(found): \(meaning); \(remedy)" }
}

extension ConfigurationWarning {
    /// Whether a host is this machine, judged by its name alone.
    package static func isLoopback(_ host: String) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return host == "localhost" || host == "::1"
            || (numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil })
    }

    /// Returns a warning about a broker on another machine that can forge records because they are not signed.
    ///
    /// - Parameters:
    ///   - key: the missing setting: `signing`.
    ///   - remedy: how to add it.
    /// - Returns: `nil` if the broker is on this machine.
    package static func unsigned(
        _ key: String, at broker: BrokerConfiguration, remedy: String
    ) -> ConfigurationWarning? {
        let others = broker.endpoints.filter { !isLoopback($0.host) }.map(\.description)
        guard !others.isEmpty else { return nil }
        return ConfigurationWarning(
            key: key, found: "is missing, and the broker is at \(others.joined(separator: ", "))",
            meaning: "whoever can publish there, including the broker, can forge and alter records unnoticed",
            remedy: remedy)
    }

    /// Returns warnings about settings in the table `mqtt`.
    package static func warnings(of broker: BrokerConfiguration) -> [ConfigurationWarning] {
        var warnings: [ConfigurationWarning] = []
        let others = broker.endpoints.filter { !isLoopback($0.host) }.map(\.description)
        if let tls = broker.tls {
            if !tls.verifiesServer {
                warnings.append(
                    ConfigurationWarning(
                        key: "mqtt.tls.verify-server", found: "is false",
                        meaning: "a man in the middle can impersonate the broker, and read and alter everything",
                        remedy: "specify the broker's authority in mqtt.tls.ca-file"))
            }
        } else if !others.isEmpty {
            warnings.append(
                ConfigurationWarning(
                    key: "mqtt", found: "has no TLS, and the broker is at \(others.joined(separator: ", "))",
                    meaning:
                        "records\(broker.password == nil ? "" : " and the password") are sent over the network "
                        + "unencrypted",
                    remedy: "add a table [mqtt.tls]"))
        }
        if !others.isEmpty, broker.username == nil, broker.tls?.certificate == nil, broker.tls?.preSharedKey == nil {
            warnings.append(
                ConfigurationWarning(
                    key: "mqtt", found: "has neither a username nor a certificate",
                    meaning: "the broker lets anyone publish and read the topics of this program",
                    remedy: "set a username, and configure an access list at the broker (deploy/)"))
        }
        return warnings
    }
}
