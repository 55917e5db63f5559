/// Where one of two people was at a place without a break while a record ended and the next began, both within what a
/// policy admits: nobody came or left then.
struct PairSeams {
    private var ends: Set<Bound> = []
    private var beginnings: Set<Bound> = []

    /// An end or a beginning of a stay, as it is beside one stay of the other person.
    private struct Bound: Hashable {
        var subject: Int64
        var place: Int64
        var moment: Int64
        var beside: Stay
    }

    /// - Parameter encounters: of two people, as the policy admits them.
    init(_ encounters: some Sequence<Encounter>) {
        for encounter in encounters {
            let (positive, other) = (encounter.positive, encounter.other)
            for (own, beside) in [(positive, other), (other, positive)] where own.start < own.end {
                ends.insert(Self.bound(own, own.end, beside))
                beginnings.insert(Self.bound(own, own.start, beside))
            }
        }
    }

    /// Whether the time between the two only begins or ends where a stay was cut into parts: then the adjoining part tells
    /// how long they were apart, if at all.
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
