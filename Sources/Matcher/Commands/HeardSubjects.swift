import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
import Matching
import OperatorText

/// Looks whether gateways know the names that somebody typed: that a name nobody has met nobody says nothing.
enum HeardSubjects {
    /// - Parameters:
    ///   - isAgreed: that names may be unknown.
    ///   - asks: whether a person at the terminal may agree now.
    /// - Returns: their numbers in the store.
    /// - Throws: `UnheardSubjects`; `StoreError`; `ExitCode` when the person doesn't agree.
    static func numbers(
        of subjects: [SubjectIdentity], in store: InteractionStore, isAgreed: Bool, asks: Bool = false
    ) async throws -> [SubjectIdentity: Int64] {
        let numbers = try store.numbers(of: subjects)
        let unheard = subjects.filter { numbers[$0] == nil }
        if unheard.isEmpty { return numbers }
        let mayAsk = asks && Terminal.canAsk
        guard isAgreed || mayAsk else { throw UnheardSubjects(subjects: unheard) }
        for subject in unheard { Terminal.note("\(subject) was never heard by a gateway of this store") }
        if !isAgreed {
            guard try await Terminal.isAgreed("go on all the same") else {
                Terminal.note("nothing was done")
                throw ExitCode.failure
            }
        }
        return numbers
    }

    /// Refuses to answer for somebody who was erased since the time that is asked about: what was there is gone, and a badge may
    /// be another's now.
    ///
    /// - Parameter isAgreed: to go on with what is left.
    /// - Throws: `ErasedSubject`; `StoreError`.
    static func refuseErased(
        _ subjects: [SubjectIdentity], in store: InteractionStore, since: Int64, days: CalendarDays, isAgreed: Bool
    ) throws {
        let erasures = try store.erasures(among: Set(subjects)).filter { $0.value > since }
        for (subject, time) in erasures.sorted(by: { $0.key < $1.key }) {
            let erased = ErasedSubject(
                subject: subject, time: "\(days.text(time)) \(days.name)", next: InstantText.utc(time + 1))
            guard isAgreed else { throw erased }
            Terminal.note(erased.what)
        }
    }

    /// Says who of them was heard, and not in the time that matters.
    static func noteSilence(
        of numbers: [SubjectIdentity: Int64], in store: InteractionStore, during span: AskedSpan, shown: String
    ) throws {
        let heard = try store.heard(Set(numbers.values), from: span.since, to: span.until)
        for (subject, number) in numbers.sorted(by: { $0.key < $1.key }) where !heard.contains(number) {
            Terminal.note("\(subject) wasn't heard \(shown), and was at other times")
        }
    }
}

/// Names that no gateway of a store ever heard.
struct UnheardSubjects: OperatorError, Equatable {
    var subjects: [SubjectIdentity]

    var what: String {
        "\(subjects.map(\.description).joined(separator: ", ")) \(subjects.count == 1 ? "was" : "were") never heard by a "
            + "gateway of this store"
    }
    var meaning: String? { "whom they met isn't known: a name may be mistyped, or be of another site" }
    var remedy: String? { "look at the names; --unheard goes on with them as they are" }
    var exitStatus: ExitStatus { .usage }
}

/// Somebody of whom nothing is left of the time that is asked about.
struct ErasedSubject: OperatorError, Equatable {
    var subject: SubjectIdentity
    /// When, for people.
    var time: String
    /// From when on there may be something, as `--from` takes it.
    var next: String

    var what: String { "\(subject) was erased \(time)" }
    var meaning: String? { "whom it met before isn't known any more, and since then it may be somebody else's" }
    var remedy: String? { "ask for the time since then with --from \(next); --unheard goes on with all that is left" }
    var exitStatus: ExitStatus { .unavailable }
}

/// A store that knows nothing of the time that somebody asks about.
struct NothingHeard: OperatorError, Equatable {
    var asked: String
    /// From when to when there is something.
    var known: String?

    var what: String { "the store has no records of anybody \(asked)" }
    var meaning: String? { "this doesn't mean that nobody was exposed" }
    var remedy: String? {
        known.map { "it has records \($0): ask about that time, or import what is missing" }
            ?? "it has none at all: import records, or name another store"
    }
    var exitStatus: ExitStatus { .unavailable }
}

extension InteractionStore {
    /// From when to when it has records, for people; `nil` when it has none.
    ///
    /// - Throws: `StoreError`.
    func knownSpan(in days: CalendarDays) throws -> String? {
        try span().map { "from \(days.text($0.lowerBound)) to \(days.text($0.upperBound)) \(days.name)" }
    }
}
