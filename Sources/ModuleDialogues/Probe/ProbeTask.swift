import BeaconModel

/// A task of a probe. Its plan is a list of them.
enum ProbeTask: Equatable, Sendable {
    /// Switches Bluetooth on, with this transmit power index.
    case bluetooth(power: Int?)
    case reset(ProbeReset)
    /// Boots with a handshake byte, if the module was reset.
    case handshake(ProbeHandshake)
    case commands

    /// The whole probe.
    static let all: [ProbeTask] = [
        .bluetooth(power: nil), .reset(.command), .handshake(.acceptance(0x7C)), .bluetooth(power: 30), .commands,
        .reset(.controlLines), .reset(.command), .handshake(.acceptance(0x1C)), .reset(.command), .handshake(.time),
    ]
    /// The tasks that are repeated after the module stopped answering or reset itself.
    static let again: [ProbeTask] = [.bluetooth(power: nil), .commands]
    /// The tasks that are repeated after the first pulse on the control lines that reset the module.
    static let secondPulse: [ProbeTask] = [
        .bluetooth(power: nil), .reset(.controlLines), .reset(.command), .handshake(.acceptance(0x7C)),
    ]
}

/// The experiments with handshake bytes.
enum ProbeHandshake: Equatable, Sendable {
    /// Whether the boot loader accepts this byte. 0x7C is tried first until it is known whether it is accepted.
    case acceptance(UInt8)
    /// The time from a reset until a byte is accepted that is known to be.
    case time
}

/// A series of equal handshake bytes: the step of an experiment, and what its result means.
struct ProbeHandshakeSeries: Equatable, Sendable {
    enum Aim: Equatable, Sendable {
        /// Whether the byte is accepted.
        case acceptance
        /// When it is.
        case time
    }

    var byte: UInt8
    var aim: Aim
    /// Time of the first byte.
    var since: Duration
    var triesLeft: Int

    init(_ byte: UInt8, for aim: Aim, at now: Duration) {
        self.byte = byte
        self.aim = aim
        since = now
        triesLeft =
            switch aim {
            case .acceptance: 9
            case .time: 49
            }
    }

    var period: Duration {
        switch aim {
        case .acceptance: .milliseconds(200)
        case .time: .milliseconds(100)
        }
    }

    /// The finding when the byte was accepted.
    func accepted(_ line: ProbeLine, at now: Duration) -> (ProbeQuestion, ProbeFindings.Measurement) {
        switch aim {
        case .acceptance:
            (.handshake(byte), .init(sent: hexadecimal(byte), came: line.heard, time: now - since))
        case .time:
            (
                .handshakeTime,
                .init(sent: "handshake 0x\(hexadecimal(byte))", came: line.heard, time: now - line.sentAt)
            )
        }
    }
}

/// An attempt to reset the module, and the evidence of its effect.
struct ProbeResetTrial: Sendable {
    /// The way that will have led to the boot loader's menu, should it appear.
    var pending: ProbeReset?
    var wasBluetoothOn = false
    /// The module's answer to `at+rsi_reset`.
    var answer = RS9116Session.Answer.none
    var reply: [UInt8] = []
    /// Whether an earlier answer already showed that the firmware was not reset.
    var isLifeConfirmed = false
}

/// The purpose of an exchange with the firmware.
enum ProbeErrand: Equatable, Sendable {
    /// Determines how long the module takes to answer, and its version.
    case measuring
    case address
    case mode(power: Int?)
    case resetting
    /// Determines whether the firmware has restarted.
    case life(ProbeReset)
    case experiment(ProbeExperiment)
    /// Disconnects the central that has connected.
    case sendingAway(BluetoothAddress)
    /// The steps at the end, in this order.
    case leaving, stopping, lastReset, lastLife
}
