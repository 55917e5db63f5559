package import Matching

/// A report as officers see it in a list.
package struct StoredReport: Sendable {
    /// The report with its badges and phones alone, also those that wait: an app's report can have hundreds of thousands
    /// of codes.
    package var report: FiledReport
    /// Whether it has other names, such as codes of a phone.
    package var hasOthers: Bool
    /// Whether anything in it waits for an officer.
    package var isWaiting: Bool
    /// Whether it was matched as it is now. Otherwise nobody has looked who was exposed by it.
    package var isMatched: Bool
    /// Number of people who were exposed by it; a subject that is not in the register of people counts as one.
    package var exposed: Int
    package var decision: ReportDecision?
}
