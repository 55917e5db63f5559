import BeaconModel

/// Interval in which a subject was near a place, from a record. Numbers stand for names; a store maps them.
package struct Stay: Hashable, Sendable {
    package var subject: Int64
    package var place: Int64
    /// Start and end, in seconds since 1970; `end` is when the subject was last received.
    package var start: Int64
    package var end: Int64
    /// Distance from the place; `nil` when no advertisement had a plausible RSSI.
    package var distance: Distance?

    package init(subject: Int64, place: Int64, start: Int64, end: Int64, distance: Distance?) {
        self.subject = subject
        self.place = place
        self.start = start
        self.end = end
        self.distance = distance
    }

    /// Returns the part of the stay within two bounds, in seconds since 1970; `nil` when there is none. A stay with a
    /// duration that only touches a bound has no part within them.
    package func within(since: Int64, until: Int64) -> Stay? {
        let (first, last) = (max(start, since), min(end, until))
        guard first < last || first == last && start == end else { return nil }
        var part = self
        part.start = first
        part.end = last
        return part
    }

    /// Total order of stays.
    func precedes(_ other: Stay) -> Bool {
        let (key, otherKey) = ((start, end, place, subject), (other.start, other.end, other.place, other.subject))
        if key != otherKey { return key < otherKey }
        func distances(_ stay: Stay) -> (Int64, Int64, Int64) {
            stay.distance.map { ($0.centimetres, $0.lower, $0.upper) } ?? (-1, -1, -1)
        }
        return distances(self) < distances(other)
    }

    /// Distance of the subject from the place, in whole centimetres, so that every database compares alike.
    package struct Distance: Hashable, Sendable {
        /// Median.
        package var centimetres: Int64
        /// Bounds: the distance lies between `lower` and `upper` with a probability of 90 %.
        package var lower: Int64
        package var upper: Int64

        package init(centimetres: Int64, lower: Int64, upper: Int64) {
            self.centimetres = centimetres
            self.lower = lower
            self.upper = upper
        }

        /// Distance in metres for the formulas. The minimum is half a centimetre, which is what zero was rounded from.
        var estimate: DistanceEstimate {
            DistanceEstimate(
                metres: max(Double(centimetres), 0.5) / 100, lower: max(Double(lower), 0.5) / 100,
                upper: max(Double(upper), 0.5) / 100, probabilityWithin: Within(threeMetres: 0, sixMetres: 0))
        }
    }
}
