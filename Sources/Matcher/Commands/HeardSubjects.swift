import ArgumentParser
import BeaconModel
import CommandSupport
import InteractionStore
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
        let heard = people.filter { $0.subjects.contains { numbers[$0] != nil } }
        let registered = Set(heard.flatMap(\.subjects))
        for subject in subjects where numbers[subject] == nil && registered.contains(subject) {
            Terminal.note("\(subject) was never received by a gateway of this store")
        }
        let unheard = subjects.filter { numbers[$0] == nil && !registered.contains($0) }
        if unheard.isEmpty { return numbers }
        let mayAsk = asks && Terminal.canAsk
        guard isAgreed || mayAsk else { throw UnheardSubjects(subjects: unheard) }
        for subject in unheard { Terminal.note("\(subject) was never received by a gateway of this store") }
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
        let erasures = try store.erasures(among: Set(subjects)).filter { $0.value > since }
        for (subject, time) in erasures.sorted(by: { $0.key < $1.key }) {
            let erased = ErasedSubject(
                subject: subject, time: "\(days.text(time)) \(days.name)", next: InstantText.utc(time + 1))
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

/// Subjects that no gateway of the store ever heard.
struct UnheardSubjects: OperatorError, Equatable {
    var subjects: [SubjectIdentity]

    var what: String {
        "\(subjects.map(\.description).joined(separator: ", ")) \(subjects.count == 1 ? "was" : "were") never "
            + "received by a gateway of this store"
    }
    var meaning: String? { "contacts are unknown: a name may be mistyped, or belong to another site" }
    var remedy: String? { "check the names, or specify --unheard to continue anyway" }
    var exitStatus: ExitStatus { .usage }
}

/// Subject whose data of the requested time was erased.
struct ErasedSubject: OperatorError, Equatable {
    var subject: SubjectIdentity
    /// Time of the erasure, for people.
    var time: String
    /// Beginning of the time that may have data, in the format of `--from`.
    var next: String

    var what: String { "\(subject) was erased \(time)" }
    var meaning: String? { "earlier contacts are no longer known, and the device may have a new owner since" }
    var remedy: String? { "specify the time since then with --from \(next), or --unheard to use all remaining data" }
    var exitStatus: ExitStatus { .unavailable }
}

/// Store without records of the requested time.
struct NothingHeard: OperatorError, Equatable {
    var asked: String
    /// Span of the store's records.
    var known: String?

    var what: String { "the store has no records \(asked)" }
    var meaning: String? { "this does not mean that nobody was exposed" }
    var remedy: String? {
        known.map { "it has records \($0): specify that time, or import the missing records" }
            ?? "the store is empty: import records, or specify another store"
    }
    var exitStatus: ExitStatus { .unavailable }
}

extension InteractionStore {
    /// Returns the span of the store's records, for people; `nil` if it has none.
    ///
    /// - Throws: `StoreError`.
    func knownSpan(in days: CalendarDays) throws -> String? {
        try span().map { "from \(days.text($0.lowerBound)) to \(days.text($0.upperBound)) \(days.name)" }
    }
}
