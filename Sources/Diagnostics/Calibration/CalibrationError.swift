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
        case .nothingHeard: "no beacon was heard"
        case .noBeacons(let path): "there is no beacon in \(path)"
        case .choiceNeeded: "it isn't said which beacon is to be measured, and there is nobody to choose"
        case .nobodyToAsk: "somebody has to put the beacon in its place, and there is no terminal to ask on"
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
            "at one of the two places a reflection adds to the signal or takes it away, or the two were mixed up"
        case .outOfRange(_, _, let allowed): "it must be \(allowed): something else was measured than meant"
        case .choiceNeeded, .nobodyToAsk, .nothingHeard, .noBeacons: nil
        }
    }

    package var remedy: String? {
        switch self {
        case .nothingHeard: "switch the beacon on, bring it near, and see with `beacon-gateway scan` what is on the air"
        case .noBeacons: "see with `beacon-gateway scan --replay FILE` what is in it"
        case .choiceNeeded: "name one with --beacon UUID/MAJOR/MINOR"
        case .nobodyToAsk: "run it in a terminal; or put the beacon there and give --yes"
        case .measurement(let failure, _, _, _, _): failure.remedy
        case .strongerFarAway: "move both places by half a metre, away from walls and metal, and measure again"
        case .outOfRange: "check the distance and what the beacon says (`beacon-gateway scan`), and measure again"
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
        case .neverHeard: "\(beacon) was not heard"
        case .tooFewPackets(let packets):
            "only \(packets) packets of \(beacon) were heard at \(distance); it takes \(rules.fewestPackets), in "
                + "\(rules.fewestSeconds) different seconds"
        case .tooShort(let time):
            "\(beacon) was heard for \(Format.fixed(time.inSeconds, 1)) s only; it takes "
                + "\(Format.fixed(rules.shortest.inSeconds, 0)) s"
        case .tooWeak(let mean): "\(beacon) is too weak at \(distance): \(Format.fixed(mean, 1)) dBm"
        case .unsteady(let steadiness): "\(beacon) isn't steady at \(distance): \(steadiness.text)"
        case .tooUncertain(let error):
            "the RSSI of \(beacon) at \(distance) is only known to \(Format.fixed(error, 1)) dB; it takes "
                + "\(Format.fixed(rules.largestError, 1)) dB"
        }
    }

    fileprivate func meaning(isCapture: Bool) -> String? {
        switch self {
        case .neverHeard:
            isCapture ? "the capture has no packet of it" : "it is off or far away, or its identity is another"
        case .tooFewPackets: "it advertises rarely, is hidden, or is heard through bluetoothd, which leaves packets out"
        case .tooShort: "the capture ends too early"
        case .tooWeak: "the weakest packets are lost, and the others would make it look too strong"
        case .unsteady(.interrupted): "somebody walks or stands between beacon and antenna"
        case .unsteady: "beacon or antenna was moved, or somebody came between them or left"
        case .tooUncertain: "the signal fades all the time: people or machines move about"
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .neverHeard: "check battery, UUID, major and minor with `beacon-gateway scan`, and bring it near"
        case .tooFewPackets: "have it advertise more often, try --path raw, and measure again"
        case .tooShort: "record at least 30 s with `beacon-gateway record`"
        case .tooWeak: "check battery and antenna, take it out of its case, and measure nearer: --distance 0.5m"
        case .unsteady: "leave both where they are, step aside, and measure again"
        case .tooUncertain: "measure again when it is quieter, or nearer: --distance 0.5m"
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
