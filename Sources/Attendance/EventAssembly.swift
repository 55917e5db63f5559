package import OperatorText

/// Assembly of lectures from events: changed and cancelled repetitions replace the original ones.
package struct EventAssembly {
    package private(set) var lectures: [Lecture] = []
    package private(set) var problems: [ConfigurationProblem] = []
    package private(set) var notes: [Timetable.Note] = []
    private let file: String
    private let span: ClosedRange<Int64>

    static let mostLectures = 50_000

    /// Creates an empty assembly.
    ///
    /// - Parameter file: the file that notes refer to.
    package init(file: String, span: ClosedRange<Int64>) {
        self.file = file
        self.span = span
    }

    private struct Change: Hashable {
        var uid: String
        var recurrence: Int64
    }

    package mutating func add(_ events: [CalendarEvent]) {
        var masters: [String: CalendarEvent] = [:]
        var changes: [Change: CalendarEvent] = [:]
        for event in events {
            if let recurrence = event.recurrence {
                let key = Change(uid: event.uid, recurrence: recurrence)
                if let other = changes[key], other.sequence > event.sequence { continue }
                changes[key] = event
            } else if let other = masters[event.uid], other.sequence >= event.sequence {
                if other.sequence == event.sequence { report(event, other) }
            } else {
                masters[event.uid] = event
            }
        }
        for event in masters.values where !event.isCancelled {
            for start in event.starts where changes[Change(uid: event.uid, recurrence: start)] == nil {
                add(event, start: start, recurrence: event.repeats ? start : nil)
            }
        }
        for (change, event) in changes {
            if let master = masters[change.uid] { note(change, event, of: master) }
            if event.isCancelled { continue }
            // All repetitions of a cancelled series are cancelled.
            if masters[change.uid]?.isCancelled == true { continue }
            for start in event.starts { add(event, start: start, recurrence: change.recurrence) }
        }
        if lectures.count > Self.mostLectures {
            problems.append(
                ConfigurationProblem(
                    location: "file", found: "has \(lectures.count) lectures",
                    allowed: "must have at most \(Self.mostLectures): export less of it"))
            lectures = []
        }
    }

    /// Notes a change or cancellation that matches no repetition.
    private mutating func note(_ change: Change, _ event: CalendarEvent, of master: CalendarEvent) {
        guard span.contains(change.recurrence), !master.isCancelled, !master.starts.contains(change.recurrence)
        else { return }
        let text = "RECURRENCE-ID \(InstantText.utc(change.recurrence)) matches no repetition"
        notes.append(Timetable.Note(file: file, line: event.line, text: text))
    }

    private mutating func report(_ event: CalendarEvent, _ other: CalendarEvent) {
        problems.append(
            ConfigurationProblem(
                location: event.line.map { "line \($0)" } ?? "file",
                found:
                    "UID \(event.uid.excerpt) and SEQUENCE are those of the event on line \(other.line ?? 0)",
                allowed: "must be unique"))
    }

    private mutating func add(_ event: CalendarEvent, start: Int64, recurrence: Int64?) {
        guard start <= span.upperBound, start + event.length >= span.lowerBound else { return }
        lectures.append(
            Lecture(
                id: Lecture.id(uid: event.uid, recurrence: recurrence), course: event.course, title: event.title,
                room: event.room, start: start, end: start + event.length))
    }
}
