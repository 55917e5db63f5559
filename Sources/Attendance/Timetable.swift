/// Lectures in order of start.
package struct Timetable: Equatable, Sendable {
    package private(set) var lectures: [Lecture]
    /// Parts of the files that were left out, with reasons.
    package private(set) var notes: [Note]

    /// Part of a file that was left out without being an error.
    package struct Note: Hashable, Sendable, CustomStringConvertible {
        package var file: String
        /// Line on which the event begins.
        package var line: Int?
        package var text: String

        package init(file: String, line: Int? = nil, text: String) {
            self.file = file
            self.line = line
            self.text = text
        }

        package var description: String { file + ": " + (line.map { "line \($0): " } ?? "") + text }
    }

    package init(lectures: [Lecture] = [], notes: [Note] = []) {
        self.lectures = lectures.sorted { ($0.start, $0.end, $0.id) < ($1.start, $1.end, $1.id) }
        self.notes = notes
    }

    /// Adds the lectures of another timetable; a lecture that is already known stays as it was.
    package mutating func merge(_ other: Timetable) {
        let known = Set(lectures.map(\.id))
        self = Timetable(
            lectures: lectures + other.lectures.filter { !known.contains($0.id) }, notes: notes + other.notes)
    }

    /// Adds the lectures of other timetables. Where several have lectures of one event, those of the last one count.
    ///
    /// - Returns: for each of the others, the number of events that it replaces.
    @discardableResult
    package mutating func replaceEvents(by others: [Timetable]) -> [Int] {
        let events = others.map { Set($0.lectures.map(\.uid)) }
        var known = Set(lectures.map(\.uid))
        var replaced: [Int] = []
        // Which of the others decides about an event.
        var deciding: [String: Int] = [:]
        for (index, uids) in events.enumerated() {
            replaced.append(uids.count { known.contains($0) })
            known.formUnion(uids)
            for uid in uids { deciding[uid] = index }
        }
        var merged = lectures.filter { deciding[$0.uid] == nil }
        for (index, other) in others.enumerated() {
            merged += other.lectures.filter { deciding[$0.uid] == index }
        }
        self = Timetable(lectures: merged, notes: notes + others.flatMap(\.notes))
        return replaced
    }

    /// Returns the lectures that overlap a time span, in seconds since 1970.
    package func lectures(from start: Int64, to end: Int64) -> [Lecture] {
        lectures.filter { $0.start < end && start < $0.end }
    }

    package func lecture(_ id: String) -> Lecture? { lectures.first { $0.id == id } }
}
