/// Stays joined from their parts, so that a verdict does not depend on where a gateway closed an interaction and
/// continued it. Parts form one stay when one begins where the other ends, at the same place and distance.
struct WholeStays {
    private var wholes: [Stay] = []
    /// Index of the whole stay, by part.
    private var indices: [Stay: Int] = [:]

    /// Properties that two parts must share, and the moment at which they meet.
    private struct Seam: Hashable {
        var subject: Int64
        var place: Int64
        var distance: Stay.Distance?
        var moment: Int64

        init(_ stay: Stay, at moment: Int64) {
            subject = stay.subject
            place = stay.place
            distance = stay.distance
            self.moment = moment
        }
    }

    /// Joins parts to whole stays.
    ///
    /// - Parameter parts: parts in any order.
    init(_ parts: some Sequence<Stay>) {
        var ends: [Seam: [Int]] = [:]
        for part in Set(parts).sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
            let index: Int
            if let whole = ends[Seam(part, at: part.start)]?.popLast() {
                index = whole
                wholes[index].end = part.end
            } else {
                index = wholes.count
                wholes.append(part)
            }
            indices[part] = index
            ends[Seam(part, at: part.end), default: []].append(index)
        }
    }

    /// Returns the whole stay that a part belongs to.
    private func whole(_ part: Stay) -> Stay { indices[part].map { wholes[$0] } ?? part }

    /// Returns the encounters of whole stays, each once, in place of those of their parts.
    ///
    /// - Parameter encounters: encounters of two people.
    static func joined(_ encounters: [Encounter]) -> [Encounter] {
        if encounters.count < 2 { return encounters }
        let stays = WholeStays(encounters.lazy.flatMap { [$0.positive, $0.other] })
        return Array(
            Set(
                encounters.map { encounter in
                    var encounter = encounter
                    encounter.positive = stays.whole(encounter.positive)
                    encounter.other = stays.whole(encounter.other)
                    return encounter
                }))
    }
}
