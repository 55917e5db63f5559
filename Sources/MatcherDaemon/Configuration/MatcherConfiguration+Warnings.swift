import Exposition
import HTTPServing
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
                    meaning:
                        "a man in the middle can impersonate the database and receive interactions, reports and "
                        + "secrets",
                    remedy: "add sslmode=verify-full and sslrootcert=FILE, or connect through a local socket"))
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
                    meaning:
                        "whoever can publish, including the broker, can forge records of gateways that do not sign",
                    remedy: "set it to true once all gateways have keys"))
        }
        if let api, api.isBehindProxy, !api.isOnThisMachine {
            warnings.append(
                ConfigurationWarning(
                    key: "api.behind-proxy", found: "is true, and the API listens on \(api.address.text)",
                    meaning: "clients that bypass the proxy can claim any address, and evade all limits",
                    remedy: "listen on 127.0.0.1, or let the firewall admit only the proxy"))
        }
        if let api, api.address.isSocket, !api.isBehindProxy {
            warnings.append(
                ConfigurationWarning(
                    key: "api.behind-proxy", found: "is false, and the API listens on \(api.address.text)",
                    meaning: "all clients count as one, so one of them can use up the limits of all",
                    remedy: "set it to true, and let the proxy name its clients in X-Forwarded-For"))
        }
        if let api, !api.isOnThisMachine {
            warnings.append(
                ConfigurationWarning(
                    key: "api.listen", found: "is \(api.address.text)",
                    meaning: "the API has no TLS, so secrets and tokens are sent over the network unencrypted",
                    remedy: "listen on 127.0.0.1, and put a proxy with TLS in front (behind-proxy = true)"))
        }
        let asked = min(retention, policy.risk.days)
        if policy.together != nil, readingRetention < asked {
            warnings.append(
                ConfigurationWarning(
                    key: "store.readings-retention-days", found: "is \(readingRetention)",
                    meaning:
                        "\(policy.name) looks back \(asked) days, but minutes together cannot be found once readings "
                        + "are deleted: for earlier days a new report finds contacts only by distances",
                    remedy: "set it to \(asked) or more, or accept this"))
        }
        if api != nil { warnings += phones.warnings }
        if let warning = metrics?.warning { warnings.append(warning) }
        return warnings
    }
}

extension APISettings {
    /// Whether only programs of this machine can connect.
    fileprivate var isOnThisMachine: Bool {
        switch address {
        case .host(let host, _): ConfigurationWarning.isLoopback(host)
        case .socket: true
        }
    }
}
