import InteractionStore
import Matching
package import Publishing
import RecordContract

extension MatcherConfiguration {
    /// Warnings about settings that work but help an attacker. Pure.
    package var warnings: [ConfigurationWarning] {
        var warnings = ConfigurationWarning.warnings(of: broker)
        if let host = store.hostWithoutVerifiedTLS {
            warnings.append(
                ConfigurationWarning(
                    key: "store.location", found: "is a database at \(host), without sslmode=verify-full",
                    meaning: "whoever is on the way can be the database: interactions, reports and secrets go to them",
                    remedy: "add sslmode=verify-full and sslrootcert=FILE, or connect by a socket of this machine"))
        }
        if !namesSigning,
            let warning = ConfigurationWarning.unsigned(
                "signing", at: broker,
                remedy:
                    "add a table [signing] with key-files, and give each gateway its key: beacon-matcher gateway-key")
        {
            warnings.append(warning)
        }
        if signing?.isRequired == false {
            warnings.append(
                ConfigurationWarning(
                    key: "signing.required", found: "is false",
                    meaning: "whoever may publish, the broker too, invents records of gateways that don't sign",
                    remedy: "set it to true once all gateways have keys"))
        }
        if let api, api.isBehindProxy, !ConfigurationWarning.isLoopback(api.host) {
            warnings.append(
                ConfigurationWarning(
                    key: "api.behind-proxy", found: "is true, and the API listens on \(api.host):\(api.port)",
                    meaning: "whoever reaches it beside the proxy says which address they have, and evades all limits",
                    remedy: "listen on 127.0.0.1, or let the firewall admit the proxy alone"))
        }
        if let api, !ConfigurationWarning.isLoopback(api.host) {
            warnings.append(
                ConfigurationWarning(
                    key: "api.listen", found: "is \(api.host):\(api.port)",
                    meaning: "the API speaks no TLS, so that secrets and tokens go over the network in the clear",
                    remedy: "listen on 127.0.0.1, and put a proxy with TLS in front (behind-proxy = true)"))
        }
        let asked = min(retention, policy.risk.days)
        if policy.together != nil, readingRetention < asked {
            warnings.append(
                ConfigurationWarning(
                    key: "store.readings-retention-days", found: "is \(readingRetention)",
                    meaning:
                        "\(policy.name) looks back on \(asked) days, and minutes together can't be found where readings are gone: "
                        + "of earlier days a report that comes finds contacts by distances only",
                    remedy: "set it to \(asked) or more, or know that"))
        }
        if api != nil { warnings += phones.warnings }
        return warnings
    }
}
