import BeaconModel

/// The specificity of an identity. A sender with several identities in one advertisement is known by the highest.
enum Rank: UInt8, Comparable {
    case nothing, appleDevice, appleOverflow, eddystone, contactApp, exposureNotification, altBeacon, iBeacon

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
}

/// The results from the structures of one advertisement read so far.
struct Findings {
    private var identity: AdvertisedIdentity?
    private var rank: Rank = .nothing
    private var defect: AdvertisingData.Defect?
    var company: AdvertisingData.Company?
    /// Signs of the Further app, which are spread over several structures.
    var further = FurtherFormat.Signs()

    @inline(__always)
    var decoded: AdvertisingData.Decoded {
        if further.arePossible, rank < .altBeacon, let phone = FurtherFormat.identity(further) {
            return .init(identity: phone, defect: defect)
        }
        return .init(identity: identity, defect: defect, company: identity == nil ? company : nil)
    }

    /// Records a defect. Only the first one is kept.
    mutating func note(_ defect: AdvertisingData.Defect) {
        if self.defect == nil { self.defect = defect }
    }

    @inline(__always)
    mutating func take(_ identity: AdvertisedIdentity, _ rank: Rank) {
        if rank > self.rank {
            self.identity = identity
            self.rank = rank
        } else if rank == self.rank {
            compare(identity)
        }
    }

    /// Checks an identity for a contradiction. Separate from `take`, which runs for every report.
    @inline(never)
    private mutating func compare(_ other: AdvertisedIdentity) {
        if let identity, isContradiction(identity, other) { note(.contradictoryIdentities) }
    }

    /// Whether both identities are of a kind of which a device has only one, and differ.
    private func isContradiction(_ left: AdvertisedIdentity, _ right: AdvertisedIdentity) -> Bool {
        switch (left, right) {
        case (.iBeacon(let left, _), .iBeacon(let right, _)), (.altBeacon(let left, _, _), .altBeacon(let right, _, _)):
            left.uuid.bits != right.uuid.bits || left.major != right.major || left.minor != right.minor
        case (.exposureNotification(let left, _), .exposureNotification(let right, _)): left.bits != right.bits
        case (.eddystoneUID(let left, _), .eddystoneUID(let right, _)): left.bits != right.bits
        case (.eddystoneEID(let left, _), .eddystoneEID(let right, _)): left != right
        default: false
        }
    }
}
