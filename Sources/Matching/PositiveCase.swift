/// Somebody who reported positive, with what decides what follows from it.
public struct PositiveCase: Equatable, Sendable {
    public var reportType: ReportType
    /// Days since 1970, UTC.
    public var onset: Int64?
    public var test: Int64?

    public init(reportType: ReportType, onset: Int64? = nil, test: Int64? = nil) {
        self.reportType = reportType
        self.onset = onset
        self.test = test
    }

    /// Since the onset of symptoms or, without it, the test.
    ///
    /// - Parameter day: since 1970.
    func daysSinceOnset(on day: Int64) -> Int64? { (onset ?? test).map { day - $0 } }
}
