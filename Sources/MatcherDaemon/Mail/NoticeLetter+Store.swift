import InteractionStore
import MatcherCore
import Matching
import People

extension NoticeLetter {
    /// Creates the letter for a person of the register, of what all of the person's badges and phones are told.
    ///
    /// - Parameter now: seconds since 1970.
    /// - Returns: `nil` if there is nothing to tell.
    /// - Throws: `StoreError`.
    init?(
        to person: Person, telling: ExposureTelling, _ configuration: MatcherConfiguration, now: Int64,
        in store: InteractionStore
    ) throws {
        let told = try person.subjects.map { subject in
            // Exposures that must not be told yet are not read either.
            let exposures = try store.exposures(of: subject, endedBefore: telling.end(for: subject, now: now))
            return telling.told(exposures, to: subject, now: now)
        }
        let words = DayWords(days: configuration.days)
        self.init(to: person.name, told: told, sender: configuration.letterSender) { words.day($0) }
    }
}

extension MatcherConfiguration {
    /// Who sends letters: `notices.sender`, else the sender of e-mails.
    var letterSender: String {
        notices.sender ?? mail.map(\.from.shownName) ?? "The health office"
    }
}
