/// Self-report as the browser keeps it between the steps.
///
/// It travels in a sealed cookie, so that each step is a page of its own to which the browser's Back leads. Pure.
enum SelfReport: Equatable, Sendable {
    /// As far as it was typed.
    case open(SelfReportForm)
    /// Sent, with this proof. Nothing that was typed is left.
    case sent(SelfReportForm.Proof.Kind)

    /// What was typed; `nil` after it was sent.
    var form: SelfReportForm? {
        switch self {
        case .open(let form): form
        case .sent: nil
        }
    }
}
