/// mosquitto's configuration for a broker with users of its own: `deploy/mosquitto/beacons.conf`.
package enum BrokerFile {
    /// Returns the file for this machine.
    ///
    /// - Parameters:
    ///   - shipped: the file that comes with the program.
    ///   - plugin: path of the plugin that knows users; `nil`: as shipped.
    ///   - hasCertificates: whether the broker has a certificate. Without one it listens on this machine only.
    package static func text(_ shipped: String, usersFile: String, plugin: String?, hasCertificates: Bool) -> String {
        var lines = shipped.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        if !hasCertificates, let local = lines.firstIndex(where: { $0.hasPrefix("listener 1883 ") }) {
            lines.removeSubrange((local + 1)...)
            lines += [
                "# Listeners for other machines were left out: there is no certificate in certs/. Take them from the",
                "# beacons.conf that comes with beacon-gateway when there is one.", "",
            ]
        }
        return lines.map { line in
            if line.hasPrefix("plugin_opt_config_file ") { return "plugin_opt_config_file " + usersFile }
            if line.hasPrefix("plugin "), let plugin { return "plugin " + plugin }
            return line
        }.joined(separator: "\n")
    }
}
