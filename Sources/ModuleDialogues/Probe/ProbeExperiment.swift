/// The experiments with AT commands, in their order. Each finds the module as its predecessors left it, with Bluetooth
/// on; at first the module does not advertise.
public enum ProbeExperiment: CaseIterable, Sendable {
    /// The command for the operating mode, a second time since the reset.
    case secondMode
    /// An unknown command that begins with `at+rsi_`.
    case unknownCommon
    /// An unknown command that begins with `at+rsibt_`.
    case unknownBluetooth
    /// Setting a local name that holds a configuration fingerprint.
    case setName
    /// Reading the local name.
    case getName
    /// Reading the device state while the module does not advertise.
    case stateWhileSilent
    /// Stopping the advertising of a module that does not advertise.
    case stopWhileStopped
    /// Setting advertising data that is no beacon.
    case setData
    /// Starting non-connectable advertising.
    case start
    /// Starting connectable advertising, when the module refused the other.
    case startConnectable
    /// Starting advertising while the module advertises.
    case doubleStart
    /// Reading the device state while the module advertises.
    case stateWhileAdvertising
    /// Setting advertising data while the module advertises.
    case dataWhileAdvertising
    /// Stopping advertising with all nine parameters.
    case stop
    /// Starting advertising after `stop`, which shows whether the stop had an effect.
    case startAfterStop
    /// Stopping advertising with one parameter.
    case shortStop
    /// Starting advertising after `shortStop`, which shows whether the stop had an effect.
    case startAfterShortStop
    /// Setting the transmit power while Bluetooth is on.
    case transmitPower

    /// Advertising data of the experiments, which is no beacon: flags, and manufacturer data with the company number
    /// reserved for tests (0xFFFF).
    package static let data: [UInt8] = [0x02, 0x01, 0x06, 0x03, 0xFF, 0xFF, 0xFF]
    /// A local name with a configuration fingerprint, as the driver sets it.
    package static let name = "bg0123456789abn"

    /// Returns the command of the experiment.
    ///
    /// - Parameter type: the advertising type that the module has accepted.
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

    /// Whether the experiment makes sense after the previous answers.
    func isWorthwhile(_ known: [ProbeExperiment: RS9116Session.Answer]) -> Bool {
        switch self {
        case .startConnectable: known[.start]?.isOK != true
        case .doubleStart, .stateWhileAdvertising, .dataWhileAdvertising, .stop:
            known[.start]?.isOK == true || known[.startConnectable]?.isOK == true
        // After a refused stop the module still advertises.
        case .startAfterStop: known[.stop]?.isOK == true
        case .shortStop: known[.stop] != nil && (known[.stop]?.isOK != true || known[.startAfterStop]?.isOK == true)
        case .startAfterShortStop: known[.shortStop]?.isOK == true
        default: true
        }
    }

    /// Whether every module with the feature accepts the command.
    package var isWellFormed: Bool {
        switch self {
        case .unknownCommon, .unknownBluetooth, .shortStop: false
        default: true
        }
    }

    /// Returns the assumption that the answer settles; `nil` if it stays open.
    ///
    /// - Parameter raw: all bytes received.
    func settles(
        _ answer: RS9116Session.Answer, raw: [UInt8], _ known: [ProbeExperiment: RS9116Session.Answer]
    ) -> ProbeFindings.Settlement? {
        let settled: (RS9116Assumption, Bool)? =
            switch (self, answer) {
            case (.secondMode, .error), (.unknownCommon, .error):
                Self.isASCIIError(raw).map { (.commonErrorsInASCII, $0) }
            case (.getName, .ok(let text)):
                // Searched for as the driver would search for its own fingerprint.
                known[.setName]?.isOK == true
                    ? (.nameReadable, ConfigurationFingerprint(in: text)?.description == String(Self.name.dropLast()))
                    : nil
            case (.getName, .error(let code)) where code.cure == .none: (.nameReadable, false)
            case (.start, .ok): (.nonConnectable, true)
            case (.start, .error(let code)) where code.cure == .none: (.nonConnectable, false)
            case (.doubleStart, .ok): (.doubleStartRefused, false)
            case (.doubleStart, .error(.commandDisallowed)): (.doubleStartRefused, true)
            case (.stop, .ok): (.stopTakesAllParameters, true)
            case (.stop, .error(let code)) where code.cure == .none: (.stopTakesAllParameters, false)
            // The stop was answered with `OK` but had no effect.
            case (.startAfterStop, .error(.commandDisallowed)): (.stopTakesAllParameters, false)
            default: nil
            }
        return settled.map { .init($0.0, $0.1) }
    }

    /// Returns the experiment from which to repeat, to confirm an answer that contradicts an assumption. `nil` for a
    /// refusal, whose command is repeated several times anyway.
    package func repetition(after answer: RS9116Session.Answer) -> ProbeExperiment? {
        switch (self, answer) {
        case (.getName, .ok): .setName
        case (.doubleStart, .ok): .doubleStart
        case (.startAfterStop, .error): .stop
        default: nil
        }
    }

    /// Whether a phone's connection, which ends the advertising, invalidates the experiment.
    var isVoidAfterConnection: Bool {
        switch self {
        case .start, .startConnectable, .doubleStart, .stateWhileAdvertising, .dataWhileAdvertising, .stop,
            .startAfterStop, .shortStop, .startAfterShortStop:
            true
        default: false
        }
    }

    /// Whether the module may be advertising after the experiment.
    var startsAdvertising: Bool {
        switch self {
        case .start, .startConnectable, .doubleStart, .startAfterStop, .startAfterShortStop: true
        default: false
        }
    }

    /// Whether the error is `ERROR`, a space and four digits; `nil` if there is none.
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
}

extension ProbeExperiment {
    /// The next experiment; `nil` after the last.
    var successor: ProbeExperiment? { Self.allCases.drop { $0 != self }.dropFirst().first }
}
