/// Whether one of the things that a program is for happens at the moment.
package enum Working: Sendable, Hashable {
    case working
    /// Not yet: the text names what is awaited.
    case starting(String)
    /// `what` is one sentence without a full stop, `remedy` what the operator can do.
    case failing(what: String, remedy: String?)

    package var isWorking: Bool { self == .working }

    /// Returns this state in a few words; `nil` if it works.
    ///
    /// - Parameter work: the work, such as `receiving`.
    func phrase(of work: String) -> String? {
        switch self {
        case .working: nil
        case .starting(let awaited): "not yet \(work): \(awaited)"
        case .failing: "not \(work): \(cause ?? "")"
        }
    }

    /// What is awaited or fails; `nil` if nothing is.
    var cause: String? {
        switch self {
        case .working: nil
        case .starting(let awaited): awaited
        case .failing(let what, let remedy): what + (remedy.map { " (what to do: \($0))" } ?? "")
        }
    }
}
