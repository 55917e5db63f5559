package import Matching

/// A stay that a phone ranged itself: an interval near a fixed beacon.
package struct PhoneStay: Hashable, Sendable {
    package var phone: SubjectIdentity
    /// The fixed beacon, as `uuid/major/minor`.
    package var beacon: String
    /// Start of the stay, in seconds since 1970.
    package var start: Int64
    package var end: Int64
    package var samples: Int64
    package var distance: Stay.Distance?
    /// Proof beacons, one of which must have been heard where the stay was, when it ended; `nil` where the phone's word
    /// is enough.
    package var proofs: [Proof]?

    /// A beacon by which a phone proves where it is.
    package struct Proof: Hashable, Sendable {
        /// The proof beacon, as `uuid/major/minor`.
        package var beacon: String
        /// Start of its validity, which lasts until `end`; both in seconds since 1970.
        package var start: Int64
        package var end: Int64

        package init(beacon: String, start: Int64, end: Int64) {
            self.beacon = beacon
            self.start = start
            self.end = end
        }
    }

    package init(
        phone: SubjectIdentity, beacon: String, start: Int64, end: Int64, samples: Int64, distance: Stay.Distance?,
        proofs: [Proof]? = nil
    ) {
        self.phone = phone
        self.beacon = beacon
        self.start = start
        self.end = end
        self.samples = samples
        self.distance = distance
        self.proofs = proofs
    }
}
