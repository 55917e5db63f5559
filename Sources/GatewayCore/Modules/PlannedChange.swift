import BeaconModel
package import ModuleDialogues

/// The change that makes a module match the inventory. Pure.
package enum PlannedChange: Equatable, Sendable {
    case none
    /// The module holds the fingerprint of the wanted configuration. The advertised data cannot be read back, so they
    /// are sent again.
    case sendAgain
    /// The module advertises nothing.
    case set
    case change(from: BeaconConfiguration)
    /// The module may be advertising; what it advertises is unknown.
    case unknownBefore
    /// The inventory has no row for the module.
    case notInInventory

    package init(
        _ applied: AppliedConfiguration, wanted: BeaconConfiguration?,
        known: [ConfigurationFingerprint: BeaconConfiguration]
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

    /// Whether the module already matches the inventory, as far as it can tell.
    package var isRightAlready: Bool { self == .none || self == .sendAgain }

    /// Sign before the line, as in infrastructure tools.
    package var sign: String {
        switch self {
        case .none, .sendAgain: "="
        case .set: "+"
        case .change, .unknownBefore: "~"
        case .notInInventory: "!"
        }
    }

    /// Returns the differences, one line each.
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
