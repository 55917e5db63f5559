import BeaconModel

/// Beacons with the same UUID and major, or phones of one kind, as readings and signals list them. Counts and means are
/// in the same order as the names.
package struct SubjectGroup: Encodable, Sendable {
    package var kind: String
    package var uuid: String?
    package var major: UInt16?
    package var minors: [UInt16]?
    /// Pseudonyms of the phones.
    package var ids: [String]?
    package var counts: [UInt32] = []
    /// Mean RSSI in dBm, to a tenth; `nil` if no RSSI was plausible.
    package var rssi: [Double?] = []

    /// Maximum number of subjects in one message. With the longest names a message stays below 32 KiB.
    package static let mostSubjects = 500
    /// The largest count that is published; it stands for itself or more.
    private static let mostCounted: UInt32 = 9999
}

extension SubjectGroup {
    /// Returns the groups of each message about the subjects: one list, or several with different subjects.
    ///
    /// - Parameter key: the key of the phones' pseudonyms; without one, phones are omitted.
    static func messages(for subjects: [Readings.Heard], _ key: Pseudonymizer.DayKey?) -> [[SubjectGroup]] {
        let named = named(subjects, key)
        return stride(from: 0, to: max(1, named.count), by: mostSubjects).map {
            groups(named[$0..<min($0 + mostSubjects, named.count)])
        }
    }

    /// The name of a published subject. It sorts by the published data, so that the order reveals nothing else.
    private enum Name: Comparable {
        case beacon(BeaconID)
        /// A phone, by the number of its kind.
        case phone(Int, pseudonym: String)
    }

    private static func named(
        _ subjects: [Readings.Heard], _ key: Pseudonymizer.DayKey?
    ) -> [(name: Name, heard: Readings.Heard)] {
        let named = subjects.compactMap { heard -> (name: Name, heard: Readings.Heard)? in
            if case .beacon(let beacon) = heard.subject { return (.beacon(beacon), heard) }
            guard let key, let (kind, identity) = RecordFactory.phone(heard.subject) else { return nil }
            return (.phone(kind.rawValue, pseudonym: key.pseudonym(for: identity)), heard)
        }
        return named.sorted { $0.name < $1.name }
    }

    private static func groups(_ part: some Sequence<(name: Name, heard: Readings.Heard)>) -> [SubjectGroup] {
        var groups: [SubjectGroup] = []
        var last: BeaconID?
        var lastKind: Int?
        for (name, heard) in part {
            switch name {
            case .beacon(let beacon):
                if last?.uuid != beacon.uuid || last?.major != beacon.major {
                    groups.append(
                        .init(kind: "beacon", uuid: beacon.uuid.description, major: beacon.major, minors: []))
                }
                last = beacon
                groups[groups.count - 1].minors?.append(beacon.minor)
            case .phone(let kind, let pseudonym):
                if lastKind != kind {
                    groups.append(
                        .init(kind: AdvertisedIdentity.Kind(rawValue: kind)?.name ?? "unknown", ids: []))
                }
                lastKind = kind
                groups[groups.count - 1].ids?.append(pseudonym)
            }
            groups[groups.count - 1].counts.append(min(heard.count, mostCounted))
            groups[groups.count - 1].rssi.append(heard.rssi.map { rounded($0, 10) })
        }
        return groups
    }
}
