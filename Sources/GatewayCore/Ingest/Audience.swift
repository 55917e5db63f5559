package import BeaconModel

/// Subjects whose interactions are tracked and published.
package struct Audience: Equatable, Sendable {
    /// Listed proximity UUIDs; `nil`: every beacon.
    package var listedUUIDs: Set<ProximityUUID>?
    package var includesPhones: Bool

    package init(listedUUIDs: Set<ProximityUUID>? = nil, includesPhones: Bool) {
        self.listedUUIDs = listedUUIDs
        self.includesPhones = includesPhones
    }

    func includes(_ subject: Subject) -> Bool {
        switch subject {
        case .beacon(let beacon): listedUUIDs?.contains(beacon.uuid) ?? true
        case .exposureNotification, .contactApp, .contactUser: includesPhones
        }
    }
}
