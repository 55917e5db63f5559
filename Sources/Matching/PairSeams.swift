/// Moments at which one of two people stayed at a place without interruption while one record ended and the next began,
/// with both records admitted by the policy. No one arrived or departed at such a moment.
struct PairSeams {
    private var ends: Set<Bound> = []
    private var beginnings: Set<Bound> = []

    /// A start or end of a stay, relative to one stay of the other person.
    private struct Bound: Hashable {
        var subject: Int64
        var place: Int64
        var moment: Int64
        var beside: Stay
    }

    /// Collects the starts and ends of all stays.
    ///
    /// - Parameter encounters: encounters of two people that the policy admits.
    init(_ encounters: some Sequence<Encounter>) {
        for encounter in encounters {
            let (positive, other) = (encounter.positive, encounter.other)
            for (own, beside) in [(positive, other), (other, positive)] where own.start < own.end {
                ends.insert(Self.bound(own, own.end, beside))
                beginnings.insert(Self.bound(own, own.start, beside))
            }
        }
    }

    /// Whether the time between the two begins or ends only because a stay was split into parts. The adjoining part
    /// then determines how long they were apart, if at all.
    func hold(_ encounter: Encounter) -> Bool {
        let (positive, other) = (encounter.positive, encounter.other)
        guard encounter.apart > 0 else { return false }
        let (first, second) = positive.end < other.start ? (positive, other) : (other, positive)
        return beginnings.contains(Self.bound(first, first.end, second))
            || ends.contains(Self.bound(second, second.start, first))
    }

    private static func bound(_ own: Stay, _ moment: Int64, _ beside: Stay) -> Bound {
        Bound(subject: own.subject, place: own.place, moment: moment, beside: beside)
    }
}
