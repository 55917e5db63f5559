/// An interval in which a floor heard a phone's proof beacon. Pure.
package struct HeardProof: Equatable {
    /// The floor as `site/building/floor`.
    package var floor: String
    /// Start of the interval, in seconds since 1970.
    package var start: Int64
    package var end: Int64

    package init(floor: String, start: Int64, end: Int64) {
        self.floor = floor
        self.start = start
        self.end = end
    }

    /// Maximum difference between clocks, in seconds.
    package static let tolerance: Int64 = 120

    /// Whether the proof was heard on the stay's floor at the end of the stay, and while the proof beacon was valid.
    ///
    /// A proof heard only at the beginning would also confirm what the phone reports for the time after its carrier has
    /// departed.
    ///
    /// - Parameter floor: the floor where the stay's beacon hangs or is heard.
    package func proves(_ stay: PhoneStay, by proof: PhoneStay.Proof, onFloor floor: String) -> Bool {
        let first = max(start, proof.start - Self.tolerance)
        let last = min(end, proof.end + Self.tolerance)
        return floor == self.floor && first <= last && first <= stay.end + Self.tolerance
            && last >= stay.end - Self.tolerance
    }
}
