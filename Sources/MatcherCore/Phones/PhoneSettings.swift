package import BeaconModel

/// Settings for phones, which report their own stays.
package struct PhoneSettings: Equatable, Sendable {
    /// Whether a phone needs a code of the institution to enrol; otherwise any phone can.
    package var needsCode = true
    /// Seconds after its end for which a stay is accepted.
    package var uploadWithin: Int64 = 900
    /// UUID of the beacons by which phones prove where they are.
    package var proofUUID: ProximityUUID?
    /// Whether stays without that proof are accepted.
    package var acceptsUnproven = false
    /// Whether phones are notified of exposures when the day is over, and not at once.
    package var tellsNextDay = true

    package init(
        needsCode: Bool = true, uploadWithin: Int64 = 900, proofUUID: ProximityUUID? = nil,
        acceptsUnproven: Bool = false, tellsNextDay: Bool = true
    ) {
        self.needsCode = needsCode
        self.uploadWithin = uploadWithin
        self.proofUUID = proofUUID
        self.acceptsUnproven = acceptsUnproven
        self.tellsNextDay = tellsNextDay
    }

    /// Seconds after the end of a day until phones are notified of it; `nil`: they are notified at once.
    ///
    /// Until then stays of that day are accepted and matched. A phone that was notified earlier could send one stay
    /// after the other, and see which is an exposure.
    package var tellingDelay: Int64? {
        tellsNextDay ? uploadWithin + MatchingSchedule.interval.components.seconds : nil
    }
}
