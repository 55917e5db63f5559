import CommandSupport
import InteractionStore

extension MatcherConfiguration {
    /// What works, and what an attacker would like. Pure.
    var warnings: [ConfigurationWarning] {
        var warnings = ConfigurationWarning.warnings(of: broker)
        if let api, !ConfigurationWarning.isLoopback(api.host) {
            warnings.append(
                ConfigurationWarning(
                    key: "api.listen", found: "is \(api.host):\(api.port)",
                    meaning: "the API speaks no TLS, so that secrets and tokens go over the network in the clear",
                    remedy: "listen on 127.0.0.1, and put a proxy with TLS in front (behind-proxy = true)"))
        }
        if api != nil { warnings += phones.warnings }
        return warnings
    }
}
