import Advertisement
package import BeaconModel
package import Proximity

/// Number of advertisements of each kind.
package struct KindCounts: Equatable, Sendable {
    /// Inline storage: an array would be copied for each batch, because the counts are handed out after each one.
    private var numbers: [32 of UInt64] = .init(repeating: 0)

    package init() {
    }

    /// The count of one kind. There is room for 32 kinds.
    package subscript(kind: AdvertisedIdentity.Kind) -> UInt64 {
        get { numbers.indices.contains(kind.rawValue) ? numbers[kind.rawValue] : 0 }
        set { if numbers.indices.contains(kind.rawValue) { numbers[kind.rawValue] = newValue } }
    }

    package static func == (left: KindCounts, right: KindCounts) -> Bool {
        left.numbers.indices.allSatisfy { left.numbers[$0] == right.numbers[$0] }
    }

    /// Kinds with a count above zero, in the order of the kinds.
    package var present: [(kind: AdvertisedIdentity.Kind, count: UInt64)] {
        AdvertisedIdentity.Kind.allCases.map { ($0, self[$0]) }.filter { $0.count > 0 }
    }
}

/// Number of advertisements by the manufacturer they name.
package struct CompanyCounts: Equatable, Sendable {
    private(set) var apple: UInt64 = 0
    private(set) var microsoft: UInt64 = 0
    private(set) var other: UInt64 = 0

    mutating func add(_ company: AdvertisingData.Company) {
        switch company {
        case .apple: apple += 1
        case .microsoft: microsoft += 1
        case .other: other += 1
        }
    }
}

/// Reception counts, by what became of each report.
package struct IngestCounts: Equatable, Sendable {
    package var reports: UInt64 = 0
    /// Reports of each adapter, in the order of the configuration; empty in a replay.
    package var reportsByAdapter: [UInt64] = []
    package var kinds = KindCounts()
    /// Reports of no known kind.
    package var unknown: UInt64 = 0
    /// Reports of no known kind that name the manufacturer of the device.
    var unknownByCompany = CompanyCounts()
    /// Reports of unlisted devices: not listed in the configuration.
    package var unlisted: UInt64 = 0
    /// Calibration learned for the receivers and the building.
    package var calibration: AutomaticCalibration.Status?
    /// Sightings that qualified for tracking but were refused.
    package var refusals = Refusals()
    /// Subjects missing from readings because too many departed in one interval.
    package var forgottenReadings: UInt64 = 0
    /// Packets lost because this process was too slow.
    package var droppedPackets: UInt64 = 0
    /// Malformed reports, by kind of defect.
    package var defects: [String: UInt64] = [:]
    package var lastReportAt: Timestamp?
    /// Subjects that are present. Of the counts that are handed out; `Ingest` keeps none.
    package var present = 0

    package init(
        reports: UInt64 = 0, kinds: KindCounts = KindCounts(), unknown: UInt64 = 0,
        unknownByCompany: CompanyCounts = CompanyCounts(), unlisted: UInt64 = 0,
        calibration: AutomaticCalibration.Status? = nil, refusals: Refusals = Refusals(), forgottenReadings: UInt64 = 0,
        droppedPackets: UInt64 = 0, defects: [String: UInt64] = [:], lastReportAt: Timestamp? = nil
    ) {
        self.reports = reports
        self.kinds = kinds
        self.unknown = unknown
        self.unknownByCompany = unknownByCompany
        self.unlisted = unlisted
        self.calibration = calibration
        self.refusals = refusals
        self.forgottenReadings = forgottenReadings
        self.droppedPackets = droppedPackets
        self.defects = defects
        self.lastReportAt = lastReportAt
    }

    /// All reports by kind, for the health message. Reports of no known kind are counted by company, or as `unknown`
    /// without one.
    package var byKind: [String: UInt64] {
        var numbers = Dictionary(uniqueKeysWithValues: kinds.present.map { ($0.kind.name, $0.count) })
        let companies = unknownByCompany
        numbers["unknown-apple"] = companies.apple
        numbers["unknown-microsoft"] = companies.microsoft
        numbers["unknown-other"] = companies.other
        numbers["unknown"] = unknown - companies.apple - companies.microsoft - companies.other
        return numbers.filter { $0.value > 0 }
    }
}
