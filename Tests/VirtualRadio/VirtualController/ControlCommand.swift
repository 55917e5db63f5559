/// What the controller may be told while it runs, one word a line.
enum ControlCommand: String {
    case unplug, plug
    case hang, recover
    case hardwareError = "hardware-error"
    case mute, wedge, unmute
    case quiet, loud
    case flood, calm
}

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
    /// Strangers transmit.
    var isFlooded = false

    var reports: Bool { !isHung && !isMute && !isQuiet }

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
        case .flood: isFlooded = true
        case .calm: isFlooded = false
        case .unplug, .plug, .hardwareError: break
        }
    }
}
