import InteractionStore
import Matching

extension PositiveReport.Entry {
    /// What the list of positives has of a phone.
    init(listing phone: SubjectIdentity) {
        self.init(
            scheme: PositiveScheme.id.rawValue, value: PositiveScheme.digest(kind: phone.kind, id: phone.id))
    }
}
