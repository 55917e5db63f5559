/// A limit on the subjects that count for each gateway in a block of 15 minutes. Pure.
///
/// A stolen gateway can name 100,000 in seconds, and comparing all of them would exhaust the memory. The longest-known
/// subjects are kept.
package struct BlockCeilings {
    /// Maximum number of subjects of one gateway, with its remote receivers. A floor has a fifth of it.
    package static let most = 10_000

    private let limit: Int
    /// The subjects with the smallest numbers, by gateway.
    private var subjects: [Int64: Set<Int64>] = [:]
    /// The greatest subject number that counts, for gateways that name too many.
    private var ceilings: [Int64: Int64] = [:]

    package init(limit: Int = BlockCeilings.most) { self.limit = limit }

    /// Adds a subject of a gateway.
    ///
    /// - Parameter gateway: any number that a gateway and its remote receivers share.
    package mutating func add(_ subject: Int64, of gateway: Int64) {
        if let ceiling = ceilings[gateway], subject > ceiling { return }
        subjects[gateway, default: []].insert(subject)
        // Not for each subject beyond the limit.
        if subjects[gateway]?.count ?? 0 >= 2 * limit { trim(gateway) }
    }

    /// Applies the limit after the last subject was added.
    package mutating func close() {
        for gateway in subjects.keys where subjects[gateway]?.count ?? 0 > limit { trim(gateway) }
    }

    private mutating func trim(_ gateway: Int64) {
        let kept = (subjects[gateway] ?? []).sorted().prefix(limit)
        subjects[gateway] = Set(kept)
        ceilings[gateway] = kept.last
    }

    /// Whether any gateway names too many subjects.
    package var isNeeded: Bool { !ceilings.isEmpty }

    package func admits(_ subject: Int64, of gateway: Int64) -> Bool { ceilings[gateway].map { subject <= $0 } ?? true }
}
