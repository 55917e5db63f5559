import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import People

/// Check that gateways have heard the subjects on the command line. For a subject that was never heard, an empty answer
/// means nothing.
enum HeardSubjects {
    /// Returns the subjects' numbers in the store. Subjects that were never heard need agreement.
    ///
    /// - Parameters:
    ///   - isAgreed: whether subjects may be unknown.
    ///   - people: people of the register who were named. If one of a person's subjects was heard, that the others were
    ///     not is only noted: nobody mistyped them.
    ///   - asks: whether a person at the terminal can agree now.
    /// - Returns: numbers in the store by subject.
    /// - Throws: `UnheardSubjects`; `StoreError`; `ExitCode` if the person does not agree.
    static func numbers(
        of subjects: [SubjectIdentity], of people: [Person] = [], in store: InteractionStore, isAgreed: Bool,
        asks: Bool = false
    ) async throws -> [SubjectIdentity: Int64] {
        let numbers = try store.numbers(of: subjects)
        let unheard = UnheardSubjects(
            among: subjects, heard: Set(numbers.keys), people: people.map(\.subjects))
        for subject in subjects where numbers[subject] == nil && unheard?.subjects.contains(subject) != true {
            Terminal.note("\(subject) was never received by a gateway of this store")
        }
        guard let unheard else { return numbers }
        let mayAsk = asks && Terminal.canAsk
        guard isAgreed || mayAsk else { throw unheard }
        for subject in unheard.subjects { Terminal.note("\(subject) was never received by a gateway of this store") }
        if !isAgreed {
            guard try await Terminal.isAgreed("continue anyway") else {
                Terminal.note("nothing was done")
                throw ExitCode.failure
            }
        }
        return numbers
    }

    /// Refuses to answer for a subject that was erased since the beginning of the requested time: the data is gone, and
    /// a badge may belong to another person now.
    ///
    /// - Parameter isAgreed: whether to continue with the data that is left.
    /// - Throws: `ErasedSubject`; `StoreError`.
    static func refuseErased(
        _ subjects: [SubjectIdentity], in store: InteractionStore, since: Int64, days: CalendarDays, isAgreed: Bool
    ) throws {
        for erased in ErasedSubject.list(try store.erasures(among: Set(subjects)), since: since, days: days) {
            guard isAgreed else { throw erased }
            Terminal.note(erased.what)
        }
    }

    /// Notes the subjects that were heard, but not in the requested span.
    static func noteSilence(
        of numbers: [SubjectIdentity: Int64], in store: InteractionStore, during span: AskedSpan, shown: String
    ) throws {
        let heard = try store.heard(Set(numbers.values), from: span.since, to: span.until)
        for (subject, number) in numbers.sorted(by: { $0.key < $1.key }) where !heard.contains(number) {
            Terminal.note("\(subject) was not received \(shown), but was at other times")
        }
    }
}

extension InteractionStore {
    /// Returns the span of the store's records, for people; `nil` if it has none.
    ///
    /// - Throws: `StoreError`.
    func knownSpan(in days: CalendarDays) throws -> String? {
        try span().map { "from \(days.text($0.lowerBound)) to \(days.text($0.upperBound)) \(days.name)" }
    }
}
