/// An interval in which a floor heard a beacon by which a phone proves where it is. Pure.
struct HeardProof: Equatable {
    /// `site/building/floor`.
    var floor: String
    /// Seconds since 1970.
    var start: Int64
    var end: Int64

    /// Seconds by which clocks may differ.
    static let tolerance: Int64 = 120

    /// Whether it was heard where a stay was and when that ended, and while the beacon was good.
    ///
    /// Heard at the beginning only, it would prove what the phone says of the time after its carrier has left.
    ///
    /// - Parameter floor: where the stay's beacon hangs or is heard.
    func proves(_ stay: PhoneStay, by proof: PhoneStay.Proof, onFloor floor: String) -> Bool {
        let first = max(start, proof.start - Self.tolerance)
        let last = min(end, proof.end + Self.tolerance)
        return floor == self.floor && first <= last && first <= stay.end + Self.tolerance
            && last >= stay.end - Self.tolerance
    }
}
