package import BeaconModel
import OperatorText

/// Reasons why a calibration fails.
package enum CalibrationError: OperatorError, Equatable {
    case nothingHeard
    /// No beacon in the capture.
    case noBeacons(path: String)
    /// No beacon was named, and there is no terminal on which to choose one.
    case choiceNeeded
    /// No terminal on which to confirm that the beacon is in its place.
    case nobodyToAsk
    case measurement(CalibrationFailure, BeaconID, distance: Double, CalibrationRules, isCapture: Bool)
    /// Greater RSSI at the second, greater distance. RSSI in dBm, distances in m.
    case strongerFarAway(near: Double, nearDistance: Double, far: Double, farDistance: Double)
    /// Result outside the range that the calibration table accepts.
    case outOfRange(String, Double, allowed: String)

    package var what: String {
        switch self {
        case .nothingHeard: "no beacon was received"
        case .noBeacons(let path): "there is no beacon in \(path)"
        case .choiceNeeded: "no beacon was selected, and there is no terminal to choose one on"
        case .nobodyToAsk: "the beacon has to be placed, and there is no terminal to confirm this on"
        case .measurement(let failure, let beacon, let distance, let rules, _):
            failure.what(beacon, Metres.text(distance), rules)
        case .strongerFarAway(let near, let nearDistance, let far, let farDistance):
            "the beacon is stronger at \(Metres.text(farDistance)) (\(Format.fixed(far, 1)) dBm) than at "
                + "\(Metres.text(nearDistance)) (\(Format.fixed(near, 1)) dBm)"
        case .outOfRange(let name, let value, _): "the \(name) would be \(Format.fixed(value, 1))"
        }
    }

    package var meaning: String? {
        switch self {
        case .measurement(let failure, _, _, _, let isCapture): failure.meaning(isCapture: isCapture)
        case .strongerFarAway:
            "a reflection strengthened or weakened the signal at one of the two places, or the two distances were "
                + "swapped"
        case .outOfRange(_, _, let allowed): "it must be \(allowed): probably another beacon or distance was measured"
        case .choiceNeeded, .nobodyToAsk, .nothingHeard, .noBeacons: nil
        }
    }

    package var remedy: String? {
        switch self {
        case .nothingHeard: "switch the beacon on, bring it near, and check with `beacon-gateway scan` what is received"
        case .noBeacons: "list its contents with `beacon-gateway scan --replay FILE`"
        case .choiceNeeded: "select one with --beacon UUID/MAJOR/MINOR"
        case .nobodyToAsk: "run the command in a terminal, or place the beacon and specify --yes"
        case .measurement(let failure, _, _, _, _): failure.remedy
        case .strongerFarAway: "move both places by half a metre, away from walls and metal, and measure again"
        case .outOfRange:
            "check the distance and the beacon's own measured power (`beacon-gateway scan`), and measure again"
        }
    }

    package var exitStatus: ExitStatus {
        switch self {
        case .choiceNeeded, .nobodyToAsk: .usage
        default: .unavailable
        }
    }
}

extension CalibrationFailure {
    fileprivate func what(_ beacon: BeaconID, _ distance: String, _ rules: CalibrationRules) -> String {
        switch self {
        case .neverHeard: "\(beacon) was not received"
        case .tooFewPackets(let packets):
            "only \(packets) packets of \(beacon) were received at \(distance); expected at least "
                + "\(rules.fewestPackets), in \(rules.fewestSeconds) different seconds"
        case .tooShort(let time):
            "\(beacon) was received for only \(Format.fixed(time.inSeconds, 1)) s; expected at least "
                + "\(Format.fixed(rules.shortest.inSeconds, 0)) s"
        case .tooWeak(let mean): "\(beacon) is too weak at \(distance): \(Format.fixed(mean, 1)) dBm"
        case .unsteady(let steadiness): "\(beacon) is not steady at \(distance): \(steadiness.text)"
        case .tooUncertain(let error):
            "the RSSI of \(beacon) at \(distance) is known only to within \(Format.fixed(error, 1)) dB; expected at "
                + "most \(Format.fixed(rules.largestError, 1)) dB"
        }
    }

    fileprivate func meaning(isCapture: Bool) -> String? {
        switch self {
        case .neverHeard:
            isCapture ? "the capture has no packets from it" : "it is off or far away, or has another identity"
        case .tooFewPackets: "it advertises rarely, is shielded, or is received through bluetoothd, which drops packets"
        case .tooShort: "the capture ends too early"
        case .tooWeak: "the weakest packets are lost, so the average would be too high"
        case .unsteady(.interrupted): "someone is walking or standing between the beacon and the antenna"
        case .unsteady: "the beacon or antenna was moved, or someone stepped between them or away"
        case .tooUncertain: "the signal fades continuously: people or machines are moving nearby"
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .neverHeard: "check battery, UUID, major and minor with `beacon-gateway scan`, and bring it near"
        case .tooFewPackets: "make it advertise more often, try --path raw, and measure again"
        case .tooShort: "record at least 30 s with `beacon-gateway record`"
        case .tooWeak: "check battery and antenna, take it out of its case, and measure nearer: --distance 0.5m"
        case .unsteady: "leave both in place, step aside, and measure again"
        case .tooUncertain: "measure again when there is less movement, or nearer: --distance 0.5m"
        }
    }
}

extension Steadiness {
    /// Description of the steadiness, in words.
    package var text: String {
        switch self {
        case .steady: "steady"
        case .drifting(let drift):
            "its second half is \(Format.fixed(abs(drift), 1)) dB \(drift < 0 ? "weaker" : "stronger") than its first"
        case .interrupted(let gap): "some seconds are \(Format.fixed(gap, 1)) dB weaker than the others"
        }
    }
}
