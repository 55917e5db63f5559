import InteractionStore
import OperatorText
import Pages
import RecordContract

/// Words of pages about whether records of gateways are accepted. Pure.
extension GatewayWords {
    /// Returns why and since when records of a gateway are not accepted, and who decided it.
    func revocation(of gateway: KnownGateway) -> String? {
        guard let revocation = gateway.revocation else { return nil }
        let name = revocation.name.map { ", by \($0)" } ?? ""
        return "since \(time(revocation.since))\(name): \(revocation.reason.shown(upTo: 200))"
    }

    /// Returns which records of gateways are accepted.
    static func acceptedRecords(_ signing: MessageVerifier?) -> String {
        switch signing?.isRequired {
        case nil: "signed or not: the configuration has no [signing]"
        case false?: "signed ones, and with a warning those that are not signed"
        case true?: "those that it signed with its key"
        }
    }

    /// Returns how far the records of a gateway are stored.
    static func stored(_ position: RecordPosition?) -> String {
        position.map { "\($0.boot)/\($0.sequence)" } ?? "not known"
    }

    /// Returns what happens when a gateway is revoked.
    static func effectsOfRevoking(_ gateway: String) -> [String] {
        [
            "Records of \(gateway) are rejected from now on. Those that arrive are lost: the gateway "
                + "does not send them again.",
            "What only this gateway and its receivers hear is not noticed any more.",
            "Records that it sent before stay stored.",
            "Its user at the broker stays: remove it there. Replace the other secrets that were on it too: passwords, "
                + "the key of the pseudonyms of phones.",
        ]
    }

    /// Returns what happens when a gateway is trusted again.
    static func effectsOfRestoring(_ gateway: String) -> [String] {
        [
            "Records of \(gateway) are accepted again, from now on.",
            "Records that arrived while it was revoked stay lost.",
        ]
    }

    /// Returns the lines for what is done on the command line alone.
    static func trustLines(_ gateway: String, signs: Bool) -> [GatewayPage.Command] {
        let key = GatewayPage.Command(
            purpose: "Its key, which this page does not show",
            line: "beacon-matcher gateway-key \(gateway) --config matcher.toml")
        let progress = GatewayPage.Command(
            purpose:
                "Count its records anew, if they are ignored because somebody sent false record numbers in its name",
            line: "beacon-matcher gateways forget \(gateway) --config matcher.toml")
        return signs ? [key, progress] : [progress]
    }
}
