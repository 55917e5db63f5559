import InteractionStore
import Matching

/// What was erased of a subject, and the proof that nothing is left, for programs.
struct ErasureDocument: Encodable, Sendable {
    var subject: ExposureDocument.Subject
    var interactions: Int
    /// Minutes in which receivers heard it.
    var minutes: Int
    /// Rows that still name it.
    var remaining: Int
    /// Places that go by the same name by the configuration or an operator's word, which stay.
    var places: Int
    /// Places that had the name by a gateway's word alone, which is forgotten.
    var forgottenPlaces: Int
    /// Receivers whose room had the name in it, which is forgotten.
    var forgottenRooms: [String]
    var files: [File]
    /// The topic of what it was told at the broker, which the daemon withdraws.
    var withdrawnTopic: String?
    var isComplete: Bool

    struct File: Encodable, Sendable {
        var path: String
        var holdsID: Bool
    }

    init(_ erasure: InteractionStore.Erasure, of subject: SubjectIdentity, topic: String) {
        self.subject = .init(subject)
        interactions = erasure.interactions
        minutes = erasure.minutes
        remaining = erasure.remaining.values.reduce(0, +)
        places = erasure.places
        files = erasure.searchedFiles.map { File(path: $0, holdsID: erasure.foundIn.contains($0)) }
        forgottenPlaces = erasure.forgottenPlaces
        forgottenRooms = erasure.forgottenRooms
        withdrawnTopic = erasure.withdrawsNotice ? topic : nil
        isComplete = erasure.isComplete
    }
}
