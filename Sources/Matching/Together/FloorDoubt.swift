/// On which floors a subject may have been in a minute, should one of the gateways that heard it lie.
///
/// Nobody knows which gateway that is, so each is left out in turn, and the others are believed. Two are compared on a floor
/// when both are there with the same gateway left out: a gateway that lies hides nobody, because without it both are where the
/// honest ones heard them; and it makes those alike alone whom one and the same honest gateway has to be doubted to be there.
struct FloorDoubt: Equatable, Sendable {
    /// The floor without a gateway; `nil` where two floors heard the subject so loudly that another one lies.
    struct Without: Equatable, Sendable {
        var gateway: Int64
        var floor: Int64?
    }

    /// Whether the floor that the subject is taken to be on counts while nobody is doubted: two gateways heard it near there, or
    /// none of another floor did.
    let isBelieved: Bool
    /// The floor when a gateway is left out that heard nothing that matters.
    let usual: Int64?
    /// The gateways whose word matters.
    let without: [Without]
    /// Those of them without which the subject isn't where it is taken to be.
    let suspects: [Int64]

    /// A subject that a floor's gateways hear more loudly than -75 dBm is near them.
    static let nearLevel = Int(-75 - HearingCode.weakest) * HearingCode.stepsPerDecibel
    /// A ceiling takes so much that only gateways of one floor hear a subject at -70 dBm and more.
    static let certainLevel = Int(-70 - HearingCode.weakest) * HearingCode.stepsPerDecibel

    /// - Returns: `nil` when the subject is on the same floor whoever lies.
    init?(_ levels: [FloorLevels], on own: FloorLevels) {
        guard levels.count > 1 else { return nil }
        isBelieved =
            own.second >= Self.nearLevel
            || !levels.contains { $0.floor != own.floor && $0.first >= Self.nearLevel }
        usual = Self.floor(levels, on: own, without: nil)
        var without: [Without] = []
        var suspects: [Int64] = []
        for level in levels {
            for gateway in level.gateways {
                let floor = Self.floor(levels, on: own, without: gateway)
                without.append(Without(gateway: gateway, floor: floor))
                if floor != own.floor || !isBelieved { suspects.append(gateway) }
            }
        }
        guard !suspects.isEmpty else { return nil }
        self.without = without
        self.suspects = suspects
    }

    /// The floor where the subject is when a gateway is left out and everybody else is honest: where two heard it near, or else
    /// where it was heard loudest. What one gateway alone heard, and not near, says nothing against `own`.
    private static func floor(_ levels: [FloorLevels], on own: FloorLevels, without gateway: Int64?) -> Int64? {
        var loudest: (level: Int, floor: Int64, isHeardByTwo: Bool)?
        var twice: (level: Int, floor: Int64)?
        var certain = 0
        for level in levels {
            let (first, second) = level.levels(without: gateway)
            guard first >= 0 else { continue }
            if first >= certainLevel { certain += 1 }
            if loudest.map({ (first, $0.floor) > ($0.level, level.floor) }) ?? true {
                loudest = (first, level.floor, second >= 0)
            }
            if second >= nearLevel, twice.map({ (second, $0.floor) > ($0.level, level.floor) }) ?? true {
                twice = (second, level.floor)
            }
        }
        if let twice { return twice.floor }
        if certain > 1 { return nil }
        guard let loudest, loudest.isHeardByTwo || loudest.level >= nearLevel else { return own.floor }
        return loudest.floor
    }

    /// The floors, ascending, on which the subject may be instead.
    func floors(but own: Int64) -> [Int64] {
        Set(without.compactMap(\.floor) + [usual].compactMap { $0 }).subtracting([own]).sorted()
    }

    /// Where the subject is without a gateway.
    func floor(without gateway: Int64) -> Int64? {
        if let one = without.first(where: { $0.gateway == gateway }) { return one.floor }
        return usual
    }
}
