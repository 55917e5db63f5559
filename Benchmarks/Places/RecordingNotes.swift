import Localisation
import OperatorText

/// What is striking in a recording but no mistake.
enum RecordingNotes {
    /// Number of names that a note has at most.
    private static let mostNames = 5

    /// Returns the notes, each a line without the recording's name.
    ///
    /// - Parameter unknownRooms: rooms of `truth.csv` that the plan does not have.
    static func all(_ recording: Recording, unknownRooms: Set<String>) -> [String] {
        let subjects = Set(recording.truth.map(\.subject)).subtracting(recording.readings.map(\.subject))
        let heard = Set(recording.readings.map(\.receiver))
        let receivers = recording.receivers.indices.filter { !heard.contains($0) }.map { recording.receivers[$0].path }
        var notes: [String] = []
        if !subjects.isEmpty { notes.append("no readings of \(list("subject", Array(subjects))) of truth.csv") }
        if !receivers.isEmpty { notes.append("no readings of \(list("receiver", receivers)) of receivers.csv") }
        if !unknownRooms.isEmpty {
            let verb = unknownRooms.count == 1 ? "counts" : "count"
            notes.append(
                "plan.toml does not have \(list("room", Array(unknownRooms))) of truth.csv, which \(verb) as the floor "
                    + "between rooms")
        }
        return notes
    }

    /// Returns the first names in order: `subjects "Ann", "Ben"`.
    private static func list(_ noun: String, _ names: [String]) -> String {
        let shown = names.sorted().prefix(mostNames).map(\.excerpt).joined(separator: ", ")
        let more = names.count > mostNames ? " and \(names.count - mostNames) more" : ""
        return noun + (names.count == 1 ? " " : "s ") + shown + more
    }
}
