/// Joins the parts of stays, so that a verdict doesn't depend on where a gateway closed an interaction and continued it.
/// Parts are one stay when one begins where the other ends, at one place and at one distance.
struct WholeStays {
    private var wholes: [Stay] = []
    /// The index of the whole, by part.
    private var indices: [Stay: Int] = [:]

    /// What has to be the same of two parts, and the moment at which they meet.
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

    /// - Parameter parts: in any order.
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

    /// The whole of which a stay is a part.
    private func whole(_ part: Stay) -> Stay { indices[part].map { wholes[$0] } ?? part }

    /// Encounters of whole stays, each once, in the place of those of their parts.
    ///
    /// - Parameter encounters: of two people.
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
