import InteractionStore
import Matching
import Evidence

/// Names of the subjects, places and receivers that exposures have by number.
struct ExposureNames: Sendable {
    var subjects: [Int64: SubjectIdentity]
    var places: [Int64: PlaceName]
    var receivers: [Int64: InteractionStore.ReceiverName]

    /// Reads the names from a store.
    ///
    /// - Throws: `StoreError`.
    init(_ exposures: [Exposure], store: InteractionStore) throws {
        subjects = try store.subjects(Set(exposures.map(\.subject)))
        let windows = exposures.flatMap(\.explanation.windows)
        var numbers = Set(exposures.map(\.place) + windows.map(\.place))
        numbers.formUnion(windows.compactMap { $0.distances?.positivePlace })
        places = try store.places(numbers)
        var heard: Set<Int64> = []
        for details in exposures.compactMap(\.explanation.together) {
            heard.formUnion(details.receivers.map(\.receiver))
            for minute in details.minutes {
                heard.formUnion(minute.positive.map(\.receiver))
                heard.formUnion(minute.other.map(\.receiver))
            }
        }
        for case .deafReceivers(let deaf) in exposures.flatMap(\.explanation.missing) { heard.formUnion(deaf) }
        receivers = try store.receiverNames(heard)
    }

    /// Returns the name of a receiver for people: its room, or its path.
    func receiver(_ number: Int64) -> String { receivers[number].map { $0.room ?? $0.path } ?? "receiver \(number)" }

    /// Returns a subject by number. A subject that was erased in the meantime has the kind `erased`.
    func subject(_ number: Int64) -> SubjectIdentity {
        subjects[number] ?? SubjectIdentity(kind: "erased", id: "\(number)") ?? Self.nobody
    }

    private static var nobody: SubjectIdentity {
        guard let nobody = SubjectIdentity(kind: "erased", id: "0") else { preconditionFailure("a kind and an id") }
        return nobody
    }
}
