package import OperatorText
package import RecordContract

/// The configuration of one gateway, as it is sent.
package struct PlannedConfiguration: Equatable, Sendable {
    package let gateway: GatewayPath
    /// TOML. Equal files give equal bytes.
    package let text: String
    package let digest: ConfigurationDigest
    /// Files that the configuration names. They are on the gateway, which checks them.
    package let uncheckedFiles: [String]
    package let problems: [ConfigurationProblem]
}
