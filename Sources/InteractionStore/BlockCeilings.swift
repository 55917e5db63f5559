/// The limit of the subjects that count of each gateway in a block of 15 minutes. Pure.
///
/// A stolen gateway names 100,000 in seconds, and comparing all of them would take the memory. Those who have been known for
/// longest stay.
struct BlockCeilings {
    /// Subjects of one gateway, with its ears. A floor has a fifth of it.
    static let most = 10_000

    private let limit: Int
    /// The subjects with the smallest numbers, by gateway.
    private var subjects: [Int64: Set<Int64>] = [:]
    /// The greatest number that counts, of those that name too many.
    private var ceilings: [Int64: Int64] = [:]

    init(limit: Int = BlockCeilings.most) { self.limit = limit }

    /// - Parameter gateway: any number that a gateway and its ears have in common.
    mutating func add(_ subject: Int64, of gateway: Int64) {
        if let ceiling = ceilings[gateway], subject > ceiling { return }
        subjects[gateway, default: []].insert(subject)
        // Not at each one beyond the limit.
        if subjects[gateway]?.count ?? 0 >= 2 * limit { trim(gateway) }
    }

    /// Ends what is added.
    mutating func close() {
        for gateway in subjects.keys where subjects[gateway]?.count ?? 0 > limit { trim(gateway) }
    }

    private mutating func trim(_ gateway: Int64) {
        let kept = (subjects[gateway] ?? []).sorted().prefix(limit)
        subjects[gateway] = Set(kept)
        ceilings[gateway] = kept.last
    }

    /// Whether some gateway names too many.
    var isNeeded: Bool { !ceilings.isEmpty }

    func admits(_ subject: Int64, of gateway: Int64) -> Bool { ceilings[gateway].map { subject <= $0 } ?? true }
}
