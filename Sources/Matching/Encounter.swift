/// Co-location of two subjects near the same place, or near two places side by side, at the same time or shortly after
/// each other. It carries the evidence of their distance, and is not a contact until a rule has judged it.
package struct Encounter: Hashable, Sendable {
    /// Stay of the subject who reported positive, cut to the part that counts.
    package var positive: Stay
    package var other: Stay
    /// Distance between the two places, in centimetres; 0 when they are the same.
    package var separation: Int64
    /// Gateways that reported the two stays.
    package var sources = SourcePair(positive: 0, other: 0)

    /// Gateways that reported the two stays, as numbers. A store maps the numbers to gateways.
    package struct SourcePair: Hashable, Sendable {
        package var positive: Int64
        package var other: Int64

        package init(positive: Int64, other: Int64) {
            self.positive = positive
            self.other = other
        }
    }

    /// Creates the encounter of two stays.
    ///
    /// - Parameters:
    ///   - window: maximum time from the departure of one subject to the arrival of the other, in seconds.
    ///   - since: the positive subject's stay is cut here, because the earlier part belongs to another person or was
    ///     not asked for. A cut is neither an arrival nor a departure, so the window does not extend beyond it.
    ///   - until: the same at the end of the stay.
    ///   - presence: the uninterrupted presence of the positive subject, when the stay is only a part of it. No one
    ///     arrives or departs where one part ends and the next begins.
    /// - Returns: `nil` when both stays are of one subject, or are too far apart in time.
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

    /// Time from which both were present; without shared time, the arrival of the second.
    package var start: Int64 { max(positive.start, other.start) }
    /// End of the shared time; before `start` when the two were present one after the other.
    private var sharedEnd: Int64 { min(positive.end, other.end) }
    /// End of the shared time; `start` when there was none.
    package var end: Int64 { max(start, sharedEnd) }
    /// Duration of the shared time, in seconds.
    package var overlap: Int64 { end - start }

    /// Minimum and maximum distance between the two, in centimetres, when each was within the bounds of its distance
    /// (triangle inequality in a plane). `nil` when a distance is unknown.
    package var range: ClosedRange<Int64>? {
        guard let one = positive.distance, let two = other.distance else { return nil }
        let shortest = max(
            0, one.lower - two.upper - separation, two.lower - one.upper - separation,
            separation - one.upper - two.upper)
        return shortest...max(shortest, one.upper + two.upper + separation)
    }

    /// Maximum distance between the two, in centimetres, when both medians are right; `nil` when a distance is unknown.
    package var sumOfDistances: Int64? {
        guard let one = positive.distance, let two = other.distance else { return nil }
        return one.centimetres + two.centimetres + separation
    }
}
