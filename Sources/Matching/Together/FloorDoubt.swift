/// On which floors a subject may have been in a minute, should one of the gateways that heard it lie.
///
/// Nobody knows which gateway that is, so each is left out in turn, and the others are believed. Two are compared on a floor
/// when both are there with the same gateway left out: a gateway that lies hides nobody, because without it both are where the
/// honest ones heard them; and it makes those alike alone whom one and the same honest gateway has to be doubted to be there.
struct FloorDoubt: Equatable, Sendable {
    /// Where the subject is when a gateway is left out.
    struct Place: Equatable, Sendable {
        var floor: Int64
        /// The gateway by whose word alone it is there: no second one heard it near.
        var witness: Int64?
    }

    private struct Without: Equatable, Sendable {
        var gateway: Int64
        var place: Place
    }

    /// Whether the floor that the subject is taken to be on counts while nobody is doubted: two gateways heard it near there and
    /// no two elsewhere, or none elsewhere did.
    let isBelieved: Bool
    /// Where it is when a gateway is left out that heard nothing that matters.
    private let usual: Place
    /// The gateways whose word matters.
    private let without: [Without]
    private let levels: [FloorLevels]
    private let own: FloorLevels

    /// A subject that a floor's gateways hear more loudly than -75 dBm is near them.
    static let nearLevel = Int(-75 - HearingCode.weakest) * HearingCode.stepsPerDecibel
    /// A ceiling takes so much that only gateways of one floor hear a subject at -70 dBm and more.
    static let certainLevel = Int(-70 - HearingCode.weakest) * HearingCode.stepsPerDecibel

    /// - Returns: `nil` when the subject is on the same floor whoever lies.
    init?(_ levels: [FloorLevels], on own: FloorLevels) {
        guard levels.count > 1 else { return nil }
        // Nearly always two heard it near, and louder than any elsewhere.
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

    /// The floor where the subject is when a gateway is left out and everybody else is honest: where two heard it near, or else
    /// where it was heard loudest. Where two floors heard it loudly one of them lies, or there is an atrium: `own` counts if it is
    /// one of them, else the one with the better second. What one gateway alone heard, and not near, says nothing against `own`.
    ///
    /// It is the same for all of whom honest gateways heard the same, so that a gateway that is left out parts nobody.
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

    /// The floors, ascending, on which the subject may be instead.
    func floors(but own: Int64) -> [Int64] {
        Set((without.map(\.place) + [usual]).map(\.floor)).subtracting([own]).sorted()
    }

    /// Those whose word matters.
    var suspects: [Int64] { without.map(\.gateway) }

    /// Where the subject is without a gateway; `nil`: without one that heard nothing that matters.
    func place(without gateway: Int64?) -> Place { without.first { $0.gateway == gateway }?.place ?? usual }

    /// On which floor it is without two gateways; `nil` when nobody else heard it.
    func floor(without one: Int64?, and other: Int64) -> Int64? {
        Self.floor(levels, on: own, without: .init(one: one, two: other))
    }
}
