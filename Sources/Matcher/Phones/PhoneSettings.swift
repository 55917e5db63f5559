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

    /// How many seconds after the end of a day phones are told of it; `nil`: they are told at once.
    ///
    /// Until then stays of that day are taken, and matched: whoever was told before could send one after the other, and see
    /// which is an exposure.
    var tellingDelay: Int64? {
        tellsNextDay ? uploadWithin + NoticeService.matchInterval.components.seconds : nil
    }
}
