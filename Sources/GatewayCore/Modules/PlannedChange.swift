import BeaconModel
package import ModuleDialogues

/// What has to be done with one module so that it does what the inventory says. Pure.
package enum PlannedChange: Equatable, Sendable {
    case none
    /// It carries the mark of what it shall advertise. What it advertises can't be read back; it is sent again.
    case sendAgain
    /// It advertises nothing.
    case set
    case change(from: BeaconConfiguration)
    /// It may advertise something; nobody can say what.
    case unknownBefore
    /// The inventory has nothing for it.
    case notInInventory

    package init(
        _ applied: AppliedConfiguration, wanted: BeaconConfiguration?,
        known: [ConfigurationMark: BeaconConfiguration]
    ) {
        guard let wanted else {
            self = .notInInventory
            return
        }
        if applied.matches(wanted) == true {
            if case .marked = applied { self = .sendAgain } else { self = .none }
            return
        }
        switch applied {
        case .none, .stopped, .readBack(nil): self = .set
        case .unknown: self = .unknownBefore
        case .marked(let mark): self = known[mark].map { .change(from: $0) } ?? .unknownBefore
        case .readBack(let found?): self = .change(from: found)
        }
    }

    /// Whether the module did already what it shall, as far as it can tell.
    package var isRightAlready: Bool { self == .none || self == .sendAgain }

    /// The sign before the line, as infrastructure tools have it.
    package var sign: String {
        switch self {
        case .none, .sendAgain: "="
        case .set: "+"
        case .change, .unknownBefore: "~"
        case .notInInventory: "!"
        }
    }

    /// What will be different, a line each.
    package func details(wanted: BeaconConfiguration) -> [String] {
        switch self {
        case .none, .sendAgain, .notInInventory: []
        case .set: ["advertises nothing -> \(Self.text(wanted))"]
        case .unknownBefore: ["unknown -> \(Self.text(wanted))"]
        case .change(let before): Self.differences(before, wanted)
        }
    }

    private static func text(_ configuration: BeaconConfiguration) -> String {
        let power = configuration.transmitPower.map { ", transmit power \($0)" } ?? ""
        return "\(configuration.beacon), \(configuration.measuredPower) dBm, every \(configuration.interval)\(power)"
    }

    private static func differences(_ before: BeaconConfiguration, _ after: BeaconConfiguration) -> [String] {
        func power(_ power: Int?) -> String { power.map { "\($0)" } ?? "default" }
        let all = [
            ("uuid", "\(before.beacon.uuid)", "\(after.beacon.uuid)"),
            ("major", "\(before.beacon.major)", "\(after.beacon.major)"),
            ("minor", "\(before.beacon.minor)", "\(after.beacon.minor)"),
            ("measured-power", "\(before.measuredPower) dBm", "\(after.measuredPower) dBm"),
            ("interval", "\(before.interval)", "\(after.interval)"),
            ("transmit-power", power(before.transmitPower), power(after.transmitPower)),
        ]
        return all.filter { $0.1 != $0.2 }
            .map { "\($0.0)\(String(repeating: " ", count: 16 - $0.0.count))\($0.1) -> \($0.2)" }
    }
}
