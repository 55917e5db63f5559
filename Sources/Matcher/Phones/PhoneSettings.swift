import BeaconModel

/// What the configuration says of phones, which tell themselves where they were.
struct PhoneSettings: Equatable, Sendable {
    /// Whether a phone enrols with a code of the institution; else anybody may.
    var needsCode = true
    /// For how long after its end a stay is taken, in seconds.
    var uploadWithin: Int64 = 900
    /// Of the beacons by which phones prove where they are.
    var proofUUID: ProximityUUID?
    /// Whether stays without that proof are taken.
    var acceptsUnproven = false
    /// Whether exposures are told when the day is over, and not at once.
    var tellsNextDay = true
}
