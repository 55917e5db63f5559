/// Floors on which a subject may have been in a minute, allowing for one dishonest gateway.
///
/// It is unknown which gateway is dishonest, so each is left out in turn and the others are believed. Two subjects are
/// compared on a floor when both are on it with the same gateway left out. A dishonest gateway therefore hides no one,
/// because without it both are where the honest gateways received them. It can only make those subjects appear similar
/// whose presence on the floor depends on doubting one and the same honest gateway.
struct FloorDoubt: Equatable, Sendable {
    /// Floor of the subject when a gateway is left out.
    struct Place: Equatable, Sendable {
        var floor: Int64
        /// Only gateway that supports this floor: no second one received the subject at near level.
        var witness: Int64?
    }

    private struct Without: Equatable, Sendable {
        var gateway: Int64
        var place: Place
    }

    /// Whether the assigned floor counts without doubting any gateway: either two gateways on it received the subject
    /// at near level and no two on another floor did, or none on another floor did.
    let isBelieved: Bool
    /// Place when no gateway that matters is left out.
    private let usual: Place
    /// Gateways whose reports matter.
    private let without: [Without]
    private let levels: [FloorLevels]
    private let own: FloorLevels

    /// Level above which a subject is near a floor's gateways: -75 dBm.
    static let nearLevel = Int(-75 - HearingCode.weakest) * HearingCode.stepsPerDecibel
    /// Level from which a subject is certainly on the floor: -70 dBm. A ceiling attenuates so much that only gateways
    /// of one floor receive a subject this loudly.
    static let certainLevel = Int(-70 - HearingCode.weakest) * HearingCode.stepsPerDecibel

    /// Creates the doubt about a floor.
    ///
    /// - Returns: `nil` when the subject is on the same floor whichever gateway is dishonest.
    init?(_ levels: [FloorLevels], on own: FloorLevels) {
        guard levels.count > 1 else { return nil }
        // In nearly all cases two gateways received it at near level, louder than any on other floors.
        guard own.second < Self.nearLevel || levels.contains(where: { $0.floor != own.floor && $0.first >= own.second })
        else { return nil }
        let isNear = own.second >= Self.nearLevel
        isBelieved = !levels.contains { $0.floor != own.floor && (isNear ? $0.second : $0.first) >= Self.nearLevel }
        usual = Self.place(levels, on: own, without: .init()) ?? Place(floor: own.floor)
        let without = levels.flatMap(\.gateways).map {
            Without(gateway: $0, place: Self.place(levels, on: own, without: .init(one: $0)) ?? Place(floor: own.floor))
        }
        guard !isBelieved || usual.floor != own.floor || without.contains(where: { $0.place.floor != own.floor }) else {
            return nil
        }
        self.without = without
        self.levels = levels
        self.own = own
    }

    /// Returns the floor of the subject when a gateway is left out and all others are honest: the floor where two
    /// gateways received it at near level, otherwise the floor of the loudest. If two floors received it loudly, one of
    /// them is dishonest or there is an atrium: `own` counts if it is one of them, otherwise the floor with the better
    /// second. A single gateway below near level does not count against `own`.
    ///
    /// The result is the same for all subjects that honest gateways received alike, so that leaving out a gateway
    /// separates no one.
    private static func floor(_ levels: [FloorLevels], on own: FloorLevels, without left: FloorLevels.LeftOut) -> Int64?
    {
        struct Heard {
            var floor: Int64
            var first: Int
            var second: Int
        }
        let heard = levels.lazy.map { level in
            let (first, second) = level.levels(without: left)
            return Heard(floor: level.floor, first: first, second: second)
        }.filter { $0.first >= 0 }
        let bySecond = heard.max { ($0.second, $0.first, $1.floor) < ($1.second, $1.first, $0.floor) }
        guard let bySecond,
            let loudest = heard.max(by: { ($0.first, $0.second, $1.floor) < ($1.first, $1.second, $0.floor) })
        else { return nil }
        if bySecond.second >= nearLevel { return bySecond.floor }
        let certain = heard.filter { $0.first >= certainLevel }.map(\.floor)
        if certain.count > 1 { return certain.contains(own.floor) ? own.floor : bySecond.floor }
        return loudest.second >= 0 || loudest.first >= nearLevel ? loudest.floor : own.floor
    }

    private static func place(_ levels: [FloorLevels], on own: FloorLevels, without left: FloorLevels.LeftOut) -> Place?
    {
        guard let floor = floor(levels, on: own, without: left) else { return nil }
        let level = levels.first { $0.floor == floor }
        let isAlone = (level?.levels(without: left).second ?? -1) < nearLevel
        return Place(floor: floor, witness: isAlone ? level?.loudestGateway(without: left) : nil)
    }

    /// Returns the other floors, ascending, on which the subject may be.
    func floors(but own: Int64) -> [Int64] {
        Set((without.map(\.place) + [usual]).map(\.floor)).subtracting([own]).sorted()
    }

    /// Gateways whose reports matter.
    var suspects: [Int64] { without.map(\.gateway) }

    /// Returns the place of the subject without a gateway; `nil`: without one that does not matter.
    func place(without gateway: Int64?) -> Place { without.first { $0.gateway == gateway }?.place ?? usual }

    /// Returns the floor of the subject without two gateways; `nil` when no other gateway received it.
    func floor(without one: Int64?, and other: Int64) -> Int64? {
        Self.floor(levels, on: own, without: .init(one: one, two: other))
    }
}
