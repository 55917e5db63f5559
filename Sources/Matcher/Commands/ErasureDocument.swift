import InteractionStore
import MatcherCore
import Matching

/// Erased data of a subject, and the proof that nothing is left, for programs.
struct ErasureDocument: Encodable, Sendable {
    var subject: ExposureDocument.Subject
    var interactions: Int
    /// Number of minutes in which receivers heard it.
    var minutes: Int
    /// Number of located stays.
    var stays: Int
    /// Number of spots of surveys at which it was carried.
    var surveySpots: Int
    /// Number of rows that still name it.
    var remaining: Int
    /// Number of places with the same name, by the configuration or an operator's decision. They stay.
    var places: Int
    /// Number of places that had the name by a gateway's claim alone. The claim is forgotten.
    var forgottenPlaces: Int
    /// Receivers whose room name contained the subject's name. The room name is forgotten.
    var forgottenRooms: [String]
    var files: [File]
    /// Topic of the subject's notice at the broker, which the daemon withdraws.
    var withdrawnTopic: String?
    /// Loss of the register of people: `subject`, or `person` with the entry; omitted if it did not have it.
    var register: String?
    var isComplete: Bool

    struct File: Encodable, Sendable {
        var path: String
        var holdsID: Bool
    }

    init(_ erasure: InteractionStore.Erasure, of subject: SubjectIdentity, topic: String) {
        self.subject = .init(subject)
        interactions = erasure.interactions
        minutes = erasure.minutes
        stays = erasure.stays
        surveySpots = erasure.surveySpots
        remaining = erasure.remaining.values.reduce(0, +)
        places = erasure.places
        files = erasure.searchedFiles.map { File(path: $0, holdsID: erasure.foundIn.contains($0)) }
        forgottenPlaces = erasure.forgottenPlaces
        forgottenRooms = erasure.forgottenRooms
        withdrawnTopic = erasure.withdrawsNotice ? topic : nil
        register = erasure.register?.rawValue
        isComplete = erasure.isComplete
    }
}
