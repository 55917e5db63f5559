package import BeaconModel
package import Matching
package import OperatorText

/// Subjects that no gateway of the store ever heard. For them an empty answer means nothing.
package struct UnheardSubjects: OperatorError, Equatable {
    package var subjects: [SubjectIdentity]

    /// Chooses the subjects about which nothing can be found. That one of a person's subjects was not heard matters
    /// only if none of the person's was: nobody mistyped it.
    ///
    /// - Parameters:
    ///   - heard: those that a gateway heard.
    ///   - people: badges and phones of each person who was named.
    /// - Returns: `nil` if there are none.
    package init?(
        among subjects: [SubjectIdentity], heard: Set<SubjectIdentity>, people: [[SubjectIdentity]]
    ) {
        let known = heard.union(people.filter { !heard.isDisjoint(with: $0) }.flatMap(\.self))
        self.subjects = subjects.filter { !known.contains($0) }
        if self.subjects.isEmpty { return nil }
    }

    package var what: String {
        "\(subjects.map(\.description).joined(separator: ", ")) \(subjects.count == 1 ? "was" : "were") never "
            + "received by a gateway of this store"
    }
    package var meaning: String? { "contacts are unknown: a name may be mistyped, or belong to another site" }
    package var remedy: String? { "check the names, or specify --unheard to continue anyway" }
    package var exitStatus: ExitStatus { .usage }
}

/// Subject whose data of the requested time was erased: a badge may belong to another person now.
package struct ErasedSubject: OperatorError, Equatable {
    package var subject: SubjectIdentity
    /// Time of the erasure, for people.
    package var time: String
    /// Beginning of the time that may have data, in the format of `--from`.
    package var next: String

    /// Returns those of the erased subjects whose data of the requested time is gone, in order.
    ///
    /// - Parameters:
    ///   - erasures: times at which subjects were erased, in seconds since 1970.
    ///   - since: beginning of the requested time.
    package static func list(
        _ erasures: [SubjectIdentity: Int64], since: Int64, days: CalendarDays
    ) -> [ErasedSubject] {
        erasures.filter { $0.value > since }.sorted { $0.key < $1.key }.map { subject, time in
            ErasedSubject(
                subject: subject, time: "\(days.text(time)) \(days.name)", next: InstantText.utc(time + 1))
        }
    }

    package var what: String { "\(subject) was erased \(time)" }
    package var meaning: String? {
        "earlier contacts are no longer known, and the device may have a new owner since"
    }
    package var remedy: String? {
        "specify the time since then with --from \(next), or --unheard to use all remaining data"
    }
    package var exitStatus: ExitStatus { .unavailable }
}

/// Store without records of the requested time.
package struct NothingHeard: OperatorError, Equatable {
    package var asked: String
    /// Span of the store's records.
    package var known: String?

    package init(asked: String, known: String? = nil) {
        self.asked = asked
        self.known = known
    }

    package var what: String { "the store has no records \(asked)" }
    package var meaning: String? { "this does not mean that nobody was exposed" }
    package var remedy: String? {
        known.map { "it has records \($0): specify that time, or import the missing records" }
            ?? "the store is empty: import records, or specify another store"
    }
    package var exitStatus: ExitStatus { .unavailable }
}
