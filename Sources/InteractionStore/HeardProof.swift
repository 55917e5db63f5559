/// An interval in which a floor heard a beacon by which a phone proves where it is. Pure.
struct HeardProof: Equatable {
    /// `site/building/floor`.
    var floor: String
    /// Seconds since 1970.
    var start: Int64
    var end: Int64

    /// Seconds by which clocks may differ.
    static let tolerance: Int64 = 120

    /// Whether it was heard where and when a stay was.
    ///
    /// - Parameter floor: of the stay's beacon; `nil` while no gateway has said where that hangs: then any floor of the site's
    ///   gateways will do, since the configuration names the beacon.
    func proves(_ stay: PhoneStay, onFloor floor: String?) -> Bool {
        start <= stay.end + Self.tolerance && end >= stay.start - Self.tolerance
            && (floor.map { $0 == self.floor } ?? true)
    }
}
