package import Evidence
package import Matching
package import People

/// Names of the subjects, places and receivers that exposures have by number.
package struct ExposureNames: Sendable {
    package var subjects: [Int64: SubjectIdentity]
    package var places: [Int64: PlaceName]
    package var receivers: [Int64: ReceiverName]
    /// People of the register to whom subjects belong; empty where the reader sees no names.
    package var people: [SubjectIdentity: Person] = [:]

    package init(subjects: [Int64: SubjectIdentity], places: [Int64: PlaceName], receivers: [Int64: ReceiverName]) {
        self.subjects = subjects
        self.places = places
        self.receivers = receivers
    }

    /// Returns the name of a receiver for people: its room, or its path.
    package func receiver(_ number: Int64) -> String {
        receivers[number].map { $0.room ?? $0.path } ?? "receiver \(number)"
    }

    /// Returns a subject by number. A subject that was erased in the meantime has the kind `erased`.
    package func subject(_ number: Int64) -> SubjectIdentity {
        subjects[number] ?? SubjectIdentity(kind: "erased", id: "\(number)") ?? Self.nobody
    }

    private static var nobody: SubjectIdentity {
        guard let nobody = SubjectIdentity(kind: "erased", id: "0") else { preconditionFailure("a kind and an id") }
        return nobody
    }
}
