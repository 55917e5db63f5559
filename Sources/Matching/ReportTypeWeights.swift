/// Who vouches for a positive report.
package enum ReportType: String, Equatable, Sendable, CaseIterable {
    /// A health authority, for a test.
    case confirmed
    /// Nobody but the subject.
    case selfReported = "self-reported"
}

/// What a report counts, by who vouches for it; 0: nothing follows from it.
package struct ReportTypeWeights: Equatable, Sendable {
    package var confirmed: Double
    package var selfReported: Double

    package init(confirmed: Double = 1, selfReported: Double = 0) {
        self.confirmed = confirmed
        self.selfReported = selfReported
    }

    package subscript(type: ReportType) -> Double {
        switch type {
        case .confirmed: confirmed
        case .selfReported: selfReported
        }
    }
}
