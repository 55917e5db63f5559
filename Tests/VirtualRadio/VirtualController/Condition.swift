/// In which ways the controller or the air around it fails.
struct Condition {
    /// The firmware is dead: nothing is answered, nothing reported.
    var isHung = false
    /// Commands are answered, and nothing is reported.
    var isMute = false
    /// A reset of the controller ends its muteness.
    var isCuredByReset = false
    /// Nobody transmits.
    var isQuiet = false

    var reports: Bool { !isHung && !isMute && !isQuiet }

    /// Ends what a reset cures.
    mutating func controllerWasReset() {
        if isCuredByReset { isMute = false }
    }

    /// Follows those commands that change nothing else.
    mutating func follow(_ command: ControlCommand) {
        switch command {
        case .hang: isHung = true
        case .recover: isHung = false
        case .mute, .wedge:
            isMute = true
            isCuredByReset = command == .wedge
        case .unmute: isMute = false
        case .quiet: isQuiet = true
        case .loud: isQuiet = false
        case .unplug, .plug, .hardwareError, .flood, .calm: break
        }
    }
}
