import InteractionStore
import Localisation
import MatcherCore
import Matching
import OperatorText
import Pages

// Where a person was, for officers who ask for it.
extension PageService {
    /// Number of days of which officers can ask for the rooms of a person.
    static let daysOfStays: Int64 = 7
    private static let mostStays = 200

    /// Returns the rooms of badges and phones in the last days, the latest first.
    ///
    /// - Throws: `StoreError`.
    func stays(of subjects: [SubjectIdentity], now: Int64, in store: InteractionStore) throws -> PersonPage.Stays {
        let since = Self.start(of: Self.daysOfStays, now: now, configuration.days)
        let numbers = try store.numbers(of: subjects)
        var found: [(stay: SettledStay, device: String)] = []
        for subject in subjects {
            guard let number = numbers[subject] else { continue }
            found += try store.locatedStays(of: number, from: since, to: now).map {
                (stay: $0, device: ShownNames.kind(subject))
            }
        }
        found.sort { $0.stay.start > $1.stay.start }
        let text = officerText
        let extent = "The last \(Self.daysOfStays) days."
        return PersonPage.Stays(
            extent: found.count > Self.mostStays
                ? extent + " Only the latest \(Self.mostStays) stays are listed." : extent,
            rows: found.prefix(Self.mostStays).map { stay, device in
                PersonPage.Stay(
                    when: text.span(stay.start, stay.end), room: stay.room ?? "not known", floor: stay.floor,
                    certainty: Format.fixed(stay.probability * 100, 0) + " %", device: device)
            })
    }
}
