import BeaconModel
import InteractionStore
import MatcherCore
import OperatorText
import Pages

extension GatewayCondition {
    /// The state in words.
    var tag: StateTag {
        switch self {
        case .silent: StateTag("silent", .bad)
        case .deaf: StateTag("does not receive", .bad)
        case .partlyDeaf: StateTag("receives in part", .warn)
        case .neverHeard: StateTag("never reported", .warn)
        case .revoked: StateTag("revoked", .plain)
        case .receiving: StateTag("receiving", .good)
        }
    }
}

/// Words of pages about gateways. Pure.
struct GatewayWords {
    var days: CalendarDays

    /// Returns an instant with its weekday, as on other pages.
    func time(_ seconds: Int64) -> String { DayWords(days: days).time(seconds) }

    /// Returns what the state of a gateway means, and what to do.
    func explanation(of gateway: KnownGateway) -> (what: String, remedy: String?) {
        switch gateway.condition {
        case .silent:
            (
                "It has not reported since \(lastReport(of: gateway)): it is switched off, has no network, or does not "
                    + "reach the broker.",
                "Check its power and its network. Then run on it: beacon-gateway doctor."
            )
        case .deaf:
            (
                "It reports, but none of its receivers receives: nobody is noticed there.",
                "Check its Bluetooth adapter. Run on it: beacon-gateway doctor."
            )
        case .partlyDeaf:
            (
                "Some of its receivers do not receive: \(gateway.deafNames.joined(separator: ", ")).",
                "Check the power and the connection of these receivers."
            )
        case .neverHeard:
            (
                "It is known by its records, but it has not reported yet that it works.",
                "Wait a minute. If this stays, check that the matcher may read the topics of health messages at the "
                    + "broker."
            )
        case .revoked:
            (
                "Its records are not accepted" + (revocation(of: gateway).map { " \($0)." } ?? "."),
                "Remove its user at the broker, and replace the passwords and keys that were on it. If it can be trusted "
                    + "again, restore it under “Trust” on this page."
            )
        case .receiving: ("It works.", nil)
        }
    }

    /// Returns the time of a gateway's latest report.
    func lastReport(of gateway: KnownGateway) -> String { gateway.heardAt.map(time) ?? "never" }

    /// Returns what waits to be sent.
    func outbox(of gateway: KnownGateway) -> String {
        guard let outbox = gateway.report?.outbox else { return "not known" }
        guard outbox.records > 0 else { return "nothing" }
        let age = outbox.age.map { ", the oldest for \(Self.duration($0))" } ?? ""
        return "\(ByteSizeText.format(Int(clamping: outbox.bytes)))\(age)"
    }

    /// Returns where a receiver is.
    func location(of receiver: KnownGateway.Receiver) -> String {
        let room = receiver.room ?? "room not named"
        return receiver.position == nil ? room + ", position not known" : room
    }

    /// Returns a position on the plan of a floor.
    func position(_ position: Place.Position?) -> String {
        guard let position else { return "not known: give it place.position in its configuration" }
        return "\(Format.fixed(position.x, 1)) m, \(Format.fixed(position.y, 1)) m on the plan, "
            + "\(Format.fixed(position.z, 1)) m above the floor"
    }

    /// Returns an offset.
    func offset(_ offset: Double?) -> String {
        offset.map { ($0 < 0 ? "−" : "+") + Format.fixed(abs($0), 1) + " dB" } ?? "none"
    }

    /// Returns a time in the largest unit that fits.
    static func duration(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\(seconds / 60) min"
        case ..<172_800: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) days"
        }
    }
}
