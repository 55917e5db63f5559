import BeaconModel

// The words of a probe. The state machine itself knows none.

extension ProbeTrial {
    /// The trial as text for display.
    package var words: String {
        switch self {
        case .findModule: "find the module"
        case .bluetooth: "Bluetooth"
        case .command(let experiment): experiment.question
        case .reset(.command): "reset by command"
        case .reset(.controlLines): "reset by DTR and RTS"
        case .handshake(let byte): "handshake 0x\(hexadecimal(byte))"
        case .leaveReset: "leave the module reset"
        }
    }
}

extension ProbeQuestion {
    var words: String {
        switch self {
        case .howFound: "how it was found"
        case .bootLoaderWarning: "boot loader warns"
        case .loadingDone: "Loading Done"
        case .bluetoothLoaded: "bt_loaded"
        case .bluetoothAddress: "Bluetooth address"
        case .bluetoothOn: "Bluetooth on"
        case .transmitPower(let power): "opermode with transmit power \(power)"
        case .experiment(let experiment): experiment.question
        case .reset(.command): "at+rsi_reset"
        case .reset(.controlLines): "DTR and RTS"
        case .anyReset: "reset"
        case .bootLoaderWaits: "boot loader waits after a reset"
        case .handshake(let byte): "handshake 0x\(hexadecimal(byte))"
        case .handshakeTime: "time from at+rsi_reset to the handshake"
        case .stoppedAnswering: "the module stopped answering"
        case .port: "the port"
        case .rest: "the rest"
        case .left: "the module is left"
        }
    }
}

extension ProbeConclusion {
    var words: String {
        switch self {
        case .foundByBootLoader(let byte?): "by the boot loader, handshake 0x\(hexadecimal(byte))"
        case .foundByBootLoader(nil): "by the boot loader's menu"
        case .foundRunning: "firmware was running: bypass, or in use before"
        case .warning(let text): text
        case .said: "sent"
        case .notSaid: "not sent"
        case .notSaidWithin(let seconds): "not sent within \(seconds) s"
        case .notSaidButOn(let seconds): "not sent within \(seconds) s, and Bluetooth is on"
        case .answer(let answer): answer.words
        case .refused(let answer): "refused, " + answer.words
        case .bootLoaderWaits: "yes"
        case .bootLoaderIsBypassed: "no, it is bypassed: the firmware is loaded at once"
        case .resets: "it resets"
        case .doesNotReset: "no effect: the firmware is still running"
        case .resetNotAnswered: "no answer, and the firmware is still running"
        case .resetUnknown: "the firmware answers; unclear whether it was reset"
        case .handshakeAccepted: "accepted"
        case .handshakeIgnored: "no answer"
        case .searchedAgain: "searching for it again"
        case .voidByReset: "void: the module reset itself"
        case .voidByConnection: "void: a central connected to the module"
        case .notTried(let reason): "not tried: " + reason.words
        case .portVanished(let times): "disconnected and reconnected \(times) times"
        case .left(let left): left.words
        }
    }
}

extension ProbeConclusion.Reason {
    fileprivate var words: String {
        switch self {
        case .stopsAnswering: "the module repeatedly stopped answering"
        case .stoppedAnswering: "the module stopped answering"
        case .noStableVersion: "the module reports different versions"
        case .slow(let seconds): "the module takes \(seconds) s to answer"
        case .noTime: "there was no time left"
        case .noTimeForIt: "there was no time for it"
        case .failure(let error): error.what
        }
    }
}

extension ProbeLeaving {
    /// The state as text for display.
    public var words: String {
        switch self {
        case .reset: "reset and silent: provision it"
        case .bluetoothOff: "with its firmware running and Bluetooth off: provision it"
        case .running: "with Bluetooth on, not advertising: it can only be reset by hand"
        case .unknown(mayAdvertise: true): "unknown: it may still advertise the probe's data; press RESET"
        case .unknown(mayAdvertise: false): "unknown whether it was reset; press RESET"
        }
    }
}

extension ProbeExperiment {
    package var question: String {
        switch self {
        case .secondMode: "opermode twice"
        case .unknownCommon: "unknown at+rsi_ command"
        case .unknownBluetooth: "unknown at+rsibt_ command"
        case .setName: "set the name"
        case .getName: "read the name"
        case .stateWhileSilent: "getdevstate while silent"
        case .stopWhileStopped: "stop while stopped"
        case .setData: "set advertising data"
        case .start: "non-connectable advertising"
        case .startConnectable: "connectable advertising"
        case .doubleStart: "start while advertising"
        case .stateWhileAdvertising: "getdevstate while advertising"
        case .dataWhileAdvertising: "set data while advertising"
        case .stop: "stop with nine parameters"
        case .startAfterStop: "start after that stop"
        case .shortStop: "stop with one parameter"
        case .startAfterShortStop: "start after the short stop"
        case .transmitPower: "setantennatxpowerlevel"
        }
    }
}

extension RS9116Session.Answer {
    /// The answer as text for display.
    package var words: String {
        switch self {
        case .ok(let text): text.isEmpty ? "OK" : "OK: \(Printable.line(text))"
        case .error(let code): "ERROR \(code)" + (code.meaning.map { ", \($0)" } ?? "")
        case .none: "no answer"
        }
    }
}

extension ProbeFinding {
    /// Returns a conclusion in a form that a profile can hold: without escapes and double quotation marks.
    package static func words(_ text: String) -> String {
        String(Printable.line(text).map { $0 == "\"" ? "'" : $0 == "\\" ? "/" : $0 })
    }
}

func hexadecimal(_ byte: UInt8) -> String { String(byte, radix: 16, uppercase: true) }
