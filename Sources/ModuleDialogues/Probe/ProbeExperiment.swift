/// The experiments with AT commands, in their order: each finds the module as the ones before it leave it, with
/// Bluetooth on, and nothing on the air at first.
package enum ProbeExperiment: CaseIterable, Sendable {
    case secondMode, unknownCommon, unknownBluetooth
    case setName, getName
    case stateWhileSilent, stopWhileStopped
    case setData, start, startConnectable, doubleStart, stateWhileAdvertising, dataWhileAdvertising
    case stop, startAfterStop, shortStop, startAfterShortStop
    case transmitPower

    /// Flags, and manufacturer data of the company number that is for tests (0xFFFF): nobody's beacon.
    package static let data: [UInt8] = [0x02, 0x01, 0x06, 0x03, 0xFF, 0xFF, 0xFF]
    /// A mark as the driver sets it.
    package static let name = "bg0123456789abn"

    /// - Parameter type: in which the module has agreed to advertise.
    package func command(_ type: AdvertisingType) -> RS9116Command {
        let interval = AdvertisingInterval.appleIBeacon
        return switch self {
        case .secondMode: .other(RS9116Command.operatingMode(transmitPower: nil).text)
        case .unknownCommon: .other("at+rsi_nosuchcommand")
        case .unknownBluetooth: .other("at+rsibt_nosuchcommand")
        case .setName: .other(RS9116Command.setLocalName(Self.name).text)
        case .getName: .other(RS9116Command.localName.text)
        case .stateWhileSilent, .stateWhileAdvertising: .other("at+rsibt_getdevstate?")
        case .setData, .dataWhileAdvertising: .other(RS9116Command.setAdvertisingData(Self.data).text)
        case .start: .other(RS9116Command.advertise(.nonConnectable, interval).text)
        case .startConnectable: .other(RS9116Command.advertise(.connectable, interval).text)
        case .doubleStart, .startAfterStop, .startAfterShortStop:
            .other(RS9116Command.advertise(type, interval).text)
        case .stop, .stopWhileStopped: .other(RS9116Command.stopAdvertising(type, interval).text)
        case .shortStop: .other("at+rsibt_advertise=0")
        case .transmitPower: .other(RS9116Command.setTransmitPower(31).text)
        }
    }

    /// Whether it makes sense after what is known.
    func isWorthwhile(_ known: [ProbeExperiment: RS9116Session.Answer]) -> Bool {
        switch self {
        case .startConnectable: known[.start]?.isOK != true
        case .doubleStart, .stateWhileAdvertising, .dataWhileAdvertising, .stop:
            known[.start]?.isOK == true || known[.startConnectable]?.isOK == true
        // After a stop that was refused it advertises as before.
        case .startAfterStop: known[.stop]?.isOK == true
        case .shortStop: known[.stop] != nil && (known[.stop]?.isOK != true || known[.startAfterStop]?.isOK == true)
        case .startAfterShortStop: known[.shortStop]?.isOK == true
        default: true
        }
    }

    /// Whether every module that has the feature takes the command.
    package var isWellFormed: Bool {
        switch self {
        case .unknownCommon, .unknownBluetooth, .shortStop: false
        default: true
        }
    }

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

    /// What it settles; `nil` for what stays open.
    ///
    /// - Parameter raw: all that came.
    package func settles(
        _ answer: RS9116Session.Answer, raw: [UInt8], _ known: [ProbeExperiment: RS9116Session.Answer]
    ) -> (RS9116Assumption, Bool)? {
        switch (self, answer) {
        case (.secondMode, .error), (.unknownCommon, .error):
            Self.isASCIIError(raw).map { (.commonErrorsInASCII, $0) }
        case (.getName, .ok(let text)):
            // As a driver would find its own mark.
            known[.setName]?.isOK == true
                ? (.nameReadable, ConfigurationMark(in: text)?.description == String(Self.name.dropLast())) : nil
        case (.getName, .error(let code)) where code.cure == .none: (.nameReadable, false)
        case (.start, .ok): (.nonConnectable, true)
        case (.start, .error(let code)) where code.cure == .none: (.nonConnectable, false)
        case (.doubleStart, .ok): (.doubleStartRefused, false)
        case (.doubleStart, .error(.commandDisallowed)): (.doubleStartRefused, true)
        case (.stop, .ok): (.stopTakesAllParameters, true)
        case (.stop, .error(let code)) where code.cure == .none: (.stopTakesAllParameters, false)
        // `OK` without an effect.
        case (.startAfterStop, .error(.commandDisallowed)): (.stopTakesAllParameters, false)
        default: nil
        }
    }

    /// Where the experiments are taken up again to see once more what settles something against the module; `nil` for a
    /// single refusal, which is asked for several times anyway.
    package func repetition(after answer: RS9116Session.Answer) -> ProbeExperiment? {
        switch (self, answer) {
        case (.getName, .ok): .setName
        case (.doubleStart, .ok): .doubleStart
        case (.startAfterStop, .error): .stop
        default: nil
        }
    }

    /// Whether a phone that connects, which ends the advertising, makes it void.
    var isVoidAfterConnection: Bool {
        switch self {
        case .start, .startConnectable, .doubleStart, .stateWhileAdvertising, .dataWhileAdvertising, .stop,
            .startAfterStop, .shortStop, .startAfterShortStop:
            true
        default: false
        }
    }

    /// Whether the module may be on the air after it.
    var startsAdvertising: Bool {
        switch self {
        case .start, .startConnectable, .doubleStart, .startAfterStop, .startAfterShortStop: true
        default: false
        }
    }

    /// `ERROR`, a blank and four digits; `nil` without any error.
    private static func isASCIIError(_ bytes: [UInt8]) -> Bool? {
        let word = Array("ERROR".utf8)
        guard bytes.count > word.count,
            let start = (0..<(bytes.count - word.count)).first(where: { bytes[$0...].starts(with: word) })
        else { return nil }
        let rest = bytes[(start + word.count)...].prefix(5)
        return rest.count == 5 && rest.first == UInt8(ascii: " ")
            && rest.dropFirst().allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }
}

extension RS9116Session.Answer {
    var isOK: Bool {
        if case .ok = self { true } else { false }
    }

    /// For a person.
    package var words: String {
        switch self {
        case .ok(let text): text.isEmpty ? "OK" : "OK: \(Printable.line(text))"
        case .error(let code): "ERROR \(code)" + (code.meaning.map { ", \($0)" } ?? "")
        case .none: "no answer"
        }
    }
}
