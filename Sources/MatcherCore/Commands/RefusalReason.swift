/// Usual reason of a gateway for not obeying a command.
///
/// The contract has no codes for reasons, so they are told by words of the gateway's sentence. Only advice follows from
/// it: the sentence itself is shown as well, and an unknown one goes without advice.
package enum RefusalReason: CaseIterable, Sendable {
    case unsigned, key, start, clock, unknownModule, tooMany

    /// Recognises the reason; `nil` if it is none of the usual ones.
    ///
    /// - Parameter text: what the gateway says.
    package init?(_ text: String) {
        guard let reason = Self.allCases.first(where: { text.contains($0.mark) }) else { return nil }
        self = reason
    }

    private var mark: String {
        switch self {
        case .unsigned: "is not signed"
        case .key: "tag is invalid"
        case .start: "this gateway was started at"
        case .clock: "wrong clock"
        case .unknownModule: "there is no module"
        case .tooMany: "too many commands"
        }
    }

    /// Remedy, in a sentence; `nil` if the gateway's own sentence says it.
    ///
    /// - Parameter isSigned: whether commands are signed.
    package func remedy(isSigned: Bool) -> String? {
        switch self {
        case .unsigned:
            isSigned
                ? nil : "Set commands.key-file in the configuration of this service: this gateway requires signatures."
        case .key:
            "Create the gateway's key again, from the file that commands.key-file of this service names: "
                + "beacon-gateway command-key."
        case .start: "Try again in a few seconds."
        case .clock:
            "Compare the clocks of the gateway and of this service. One of them is not synchronized, or the broker was "
                + "slow."
        case .unknownModule: "Look at the inventory of the gateway: the module is not in it any more."
        case .tooMany: "Wait a minute: others send commands to this gateway, too."
        }
    }
}
