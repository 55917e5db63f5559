import Matching

extension FiledReport.Waiting {
    /// Number of waiting names and entries, for people.
    package var text: String {
        "\(names) \(names == 1 ? "name" : "names") and \(entries) \(entries == 1 ? "entry" : "entries") of the list of positives"
    }
}
