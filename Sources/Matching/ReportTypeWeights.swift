/// Authority behind a positive report.
package enum ReportType: String, Equatable, Sendable, CaseIterable {
    /// Confirmed by a health authority on the basis of a test.
    case confirmed
    /// Reported by the subject alone.
    case selfReported = "self-reported"
}

/// Weights of reports by their type; 0: nothing follows from the report.
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
