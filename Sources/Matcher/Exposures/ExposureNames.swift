import InteractionStore
import Matching

/// The names of what exposures have by number.
struct ExposureNames: Sendable {
    var subjects: [Int64: SubjectIdentity]
    var places: [Int64: PlaceName]

    /// - Throws: `StoreError`.
    init(_ exposures: [Exposure], store: InteractionStore) throws {
        subjects = try store.subjects(Set(exposures.map(\.subject)))
        let windows = exposures.flatMap(\.explanation.windows)
        places = try store.places(
            Set(exposures.map(\.place) + windows.map(\.place) + windows.compactMap(\.positivePlace)))
    }

    /// Whoever was erased in the meantime is nobody.
    func subject(_ number: Int64) -> SubjectIdentity {
        subjects[number] ?? SubjectIdentity(kind: "erased", id: "\(number)") ?? Self.nobody
    }

    private static var nobody: SubjectIdentity {
        guard let nobody = SubjectIdentity(kind: "erased", id: "0") else { preconditionFailure("a kind and an id") }
        return nobody
    }
}
