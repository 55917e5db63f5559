/// Two subjects who were near the same place, or near two places side by side, at the same time or one soon after the
/// other: a co-location with the evidence of how far they were from each other, and no contact before that is judged.
package struct Encounter: Hashable, Sendable {
    /// Of the subject who reported positive, as far as it counts.
    package var positive: Stay
    package var other: Stay
    /// Between the two places, in centimetres; 0 when it is the same.
    package var separation: Int64
    /// By whose word it is.
    package var tellers = Tellers(positive: 0, other: 0)

    /// Who told of the two stays. Numbers stand for gateways, which a store knows.
    package struct Tellers: Hashable, Sendable {
        package var positive: Int64
        package var other: Int64

        package init(positive: Int64, other: Int64) {
            self.positive = positive
            self.other = other
        }
    }

    /// - Parameters:
    ///   - window: how long after one has left the other may come, in seconds.
    ///   - since: the positive's stay is cut there: what was before is somebody else's, or not asked for. A cut is neither
    ///     an arrival nor a departure, so the window doesn't reach beyond it.
    ///   - until: likewise.
    ///   - presence: since when and until when the positive was there without a break, when the stay is only a part of
    ///     that: where one part ends and the next begins nobody arrives or departs either.
    /// - Returns: `nil` when one subject is both, or when they were there too long after each other.
    package init?(
        positive: Stay, other: Stay, separation: Int64, window: Int64, since: Int64 = .min, until: Int64 = .max,
        presence: ClosedRange<Int64>? = nil
    ) {
        guard positive.subject != other.subject, let part = positive.within(since: since, until: until) else {
            return nil
        }
        guard other.end >= part.start - window, other.start <= part.end + window else { return nil }
        let presence = presence ?? positive.start...positive.end
        if presence.lowerBound < since { guard other.end > since || other.start >= since else { return nil } }
        if presence.upperBound > until { guard other.start < until || other.end <= until else { return nil } }
        self.positive = part
        self.other = other
        self.separation = separation
    }

    /// Both were there from then, or one was and the other came then.
    package var start: Int64 { max(positive.start, other.start) }
    /// Before `start` when they were there one after the other.
    private var sharedEnd: Int64 { min(positive.end, other.end) }
    /// When the shared time ended; `start` when there was none.
    package var end: Int64 { max(start, sharedEnd) }
    /// How long both were there, in seconds.
    package var overlap: Int64 { end - start }

    /// The shortest and the longest that they can have been apart, in centimetres, when each was within the bounds of its
    /// distance: the triangle inequality, in a plane. `nil` when a distance isn't known.
    package var range: ClosedRange<Int64>? {
        guard let one = positive.distance, let two = other.distance else { return nil }
        let shortest = max(
            0, one.lower - two.upper - separation, two.lower - one.upper - separation,
            separation - one.upper - two.upper)
        return shortest...max(shortest, one.upper + two.upper + separation)
    }

    /// How far apart they can have been at most, in centimetres, when both medians are right.
    package var sumOfDistances: Int64? {
        guard let one = positive.distance, let two = other.distance else { return nil }
        return one.centimetres + two.centimetres + separation
    }
}
