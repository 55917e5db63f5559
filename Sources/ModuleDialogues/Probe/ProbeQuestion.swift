/// A question of a probe, which identifies its finding.
enum ProbeQuestion: Hashable, Sendable {
    case howFound
    case bootLoaderWarning
    case loadingDone
    case bluetoothLoaded
    case bluetoothAddress
    case bluetoothOn
    case transmitPower(Int)
    case experiment(ProbeExperiment)
    /// The effect of one way to reset the module.
    case reset(ProbeReset)
    /// Whether the module was reset at all.
    case anyReset
    case bootLoaderWaits
    case handshake(UInt8)
    /// The time from a reset to the accepted handshake byte.
    case handshakeTime
    case stoppedAnswering
    case port
    case rest
    case left
}

/// The result of a question.
enum ProbeConclusion: Equatable, Sendable {
    /// The module was found through its boot loader; the byte is `nil` when its menu was open already.
    case foundByBootLoader(handshake: UInt8?)
    case foundRunning
    case warning(String)
    case said
    case notSaid
    case notSaidWithin(seconds: Int)
    /// `bt_loaded` was not sent, although Bluetooth is on.
    case notSaidButOn(seconds: Int)
    case answer(RS9116Session.Answer)
    case refused(RS9116Session.Answer)
    case bootLoaderWaits
    case bootLoaderIsBypassed
    case resets
    case doesNotReset
    case resetNotAnswered
    case resetUnknown
    case handshakeAccepted
    case handshakeIgnored
    case searchedAgain
    case voidByReset
    case voidByConnection
    case notTried(Reason)
    case portVanished(times: Int)
    case left(ProbeLeaving)

    /// The reason why the rest of the probe was not tried.
    enum Reason: Equatable, Sendable {
        case stopsAnswering
        case stoppedAnswering
        case noStableVersion
        case slow(seconds: Int)
        case noTime
        case noTimeForIt
        case failure(ProvisioningError)
    }
}

/// A trial that a probe begins.
public enum ProbeTrial: Equatable, Sendable {
    /// Finding the module, and its boot loader or firmware.
    case findModule
    /// Turning Bluetooth on.
    case bluetooth
    /// An experiment with an AT command.
    case command(ProbeExperiment)
    /// A way to reset the module.
    case reset(ProbeReset)
    /// A handshake byte for the boot loader.
    case handshake(UInt8)
    /// Resetting the module at the end, so that it stops advertising.
    case leaveReset
}

/// A way to reset a module.
public enum ProbeReset: Hashable, Sendable {
    /// The command `at+rsi_reset`.
    case command
    /// A pulse on DTR and RTS.
    case controlLines
}
