import BeaconModel

/// Settings for phones, which report their own stays.
struct PhoneSettings: Equatable, Sendable {
    /// Whether a phone needs a code of the institution to enrol; otherwise any phone can.
    var needsCode = true
    /// Seconds after its end for which a stay is accepted.
    var uploadWithin: Int64 = 900
    /// UUID of the beacons by which phones prove where they are.
    var proofUUID: ProximityUUID?
    /// Whether stays without that proof are accepted.
    var acceptsUnproven = false
    /// Whether phones are notified of exposures when the day is over, and not at once.
    var tellsNextDay = true

    /// Seconds after the end of a day until phones are notified of it; `nil`: they are notified at once.
    ///
    /// Until then stays of that day are accepted and matched. A phone that was notified earlier could send one stay
    /// after the other, and see which is an exposure.
    var tellingDelay: Int64? {
        tellsNextDay ? uploadWithin + MatchingSchedule.interval.components.seconds : nil
    }
}
