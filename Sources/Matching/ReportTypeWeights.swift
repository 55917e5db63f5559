/// Who vouches for a positive report.
public enum ReportType: String, Equatable, Sendable, CaseIterable {
    /// A health authority, for a test.
    case confirmed
    /// Nobody but the subject.
    case selfReported = "self-reported"
}

/// What a report counts, by who vouches for it; 0: nothing follows from it.
public struct ReportTypeWeights: Equatable, Sendable {
    public var confirmed: Double
    public var selfReported: Double

    public init(confirmed: Double = 1, selfReported: Double = 0) {
        self.confirmed = confirmed
        self.selfReported = selfReported
    }

    public subscript(type: ReportType) -> Double {
        switch type {
        case .confirmed: confirmed
        case .selfReported: selfReported
        }
    }
}
