/// How a module listens that advertises too.
struct ModuleListening: Equatable, Sendable {
    /// The seconds of each minute in which it listens: 60, or 5 of a firmware that ends the one for the other.
    var seconds = 60
    /// Reports in a second that its serial line carries: 60 to 90 at 115,200 baud.
    var reports = 60

    /// - Parameter second: since the building opened.
    func listens(in second: Int) -> Bool { second % 60 < seconds }
}
