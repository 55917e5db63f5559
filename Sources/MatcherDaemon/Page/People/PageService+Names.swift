import InteractionStore
import Matching
import People

extension PageService {
    /// Returns the names of people by their badges and phones, as the register has them; those who are not in the
    /// register are left out.
    func names(of subjects: Set<SubjectIdentity>) async throws -> [SubjectIdentity: String] {
        if subjects.isEmpty { return [:] }
        return try await api.work { try $0.people(of: subjects).mapValues(\.label) }
    }
}
