package import OperatorText
package import Publishing

/// Settings of the table `metrics`: where a program answers `/metrics` and `/healthz`.
package struct MetricsSettings: Equatable, Sendable {
    package var host: String
    package var port: Int

    /// Port of a gateway, unless the configuration names another.
    package static let gatewayPort = 9469
    /// Port of a matcher, unless the configuration names another.
    package static let matcherPort = 9470

    package init(host: String = "127.0.0.1", port: Int) {
        self.host = host
        self.port = port
    }

    /// The address for display and for the server.
    package var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// Reads the table.
    ///
    /// - Parameter port: the port of the program.
    /// - Returns: `nil` if there is no listener.
    package static func read(_ root: TOMLReader, port: Int) -> MetricsSettings? {
        guard let reader = root.table("metrics") else { return MetricsSettings(port: port) }
        defer { reader.finish() }
        let allowsRemote = reader.boolean("allow-remote") ?? false
        guard reader.has("listen") else { return MetricsSettings(port: port) }
        let form = "ADDRESS:PORT, such as 127.0.0.1:\(port) or [::1]:\(port), or \"off\""
        let listen = reader.parsed("listen", allowed: form) { Listen($0) }
        guard case .at(let settings)? = listen else { return nil }
        if !allowsRemote, !ConfigurationWarning.isLoopback(settings.host) {
            reader.report(
                "listen", found: "is \(settings.text)",
                allowed: "must be an address of this machine alone, such as 127.0.0.1:\(port): there is no password; "
                    + "with allow-remote = true it can be any")
        }
        return settings
    }

    private enum Listen {
        case off
        case at(MetricsSettings)

        init?(_ text: String) {
            if text == "off" {
                self = .off
                return
            }
            guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
                return nil
            }
            var host = text[..<colon]
            if host.first == "[", host.last == "]" {
                host = host.dropFirst().dropLast()
            } else if host.contains(":") {
                return nil
            }
            if host.isEmpty || host.utf8.contains(where: { $0 <= 0x20 || $0 > 0x7E }) { return nil }
            self = .at(MetricsSettings(host: String(host), port: Int(port)))
        }
    }

    /// Warning about a listener that other machines reach; `nil` if only this one does.
    package var warning: ConfigurationWarning? {
        if ConfigurationWarning.isLoopback(host) { return nil }
        return ConfigurationWarning(
            key: "metrics.listen", found: "is \(text)",
            meaning: "whoever reaches the port learns how many devices are heard, and when the program fails",
            remedy: "let the firewall admit only the machine that scrapes, or listen on 127.0.0.1")
    }
}
