import InteractionStore
import MatcherCore
import Matching
import OperatorText
import People

/// Reports that a person has when another is about to be filed.
struct EarlierReports: Sendable {
    /// Name of the person, or of the badge or phone.
    private var name: String
    /// Reports of days that the new one concerns too, the latest first.
    private var overlapping: [StoredReport] = []

    /// Seconds in which the same report is one that was sent twice: by a second click, or by a browser that tries
    /// again.
    private static let sendingAgain: Int64 = 60
    private static let mostLookedAt = 20
    private static let mostNamed = 3

    /// Finds the reports of a person that concern days of a new one. The new one itself, sent a moment ago, is none.
    ///
    /// - Parameter subjects: badges and phones of the person.
    /// - Throws: `StoreError`.
    init(
        of subjects: [SubjectIdentity], _ positive: PositiveCase, _ span: AskedSpan, now: Int64,
        in store: InteractionStore
    ) throws {
        let people = try store.people(of: Set(subjects))
        name = subjects.lazy.compactMap { people[$0]?.label }.first ?? subjects.first?.description ?? ""
        let own = Set(subjects)
        var known: Set<Int64> = []
        for subject in subjects {
            for stored in try store.storedReports(of: subject, limit: Self.mostLookedAt) {
                let overlaps = stored.report.subjects.contains {
                    own.contains($0.identity) && $0.since <= span.until && span.since <= $0.until
                }
                if overlaps, !Self.isSentAgain(stored, positive, of: own, now: now),
                    known.insert(stored.report.number).inserted
                {
                    overlapping.append(stored)
                }
            }
        }
        overlapping.sort { $0.report.number > $1.report.number }
    }

    /// Returns the report that was filed a moment ago and says the same; `nil` if there is none.
    ///
    /// - Throws: `StoreError`.
    static func same(as report: PositiveReport, in store: InteractionStore) throws -> StoredReport? {
        guard let subject = report.subjects.first?.identity else { return nil }
        let subjects = Set(report.subjects.map(\.identity))
        return try store.storedReports(of: subject, limit: mostLookedAt).first {
            isSentAgain($0, report.positive, of: subjects, now: report.received)
        }
    }

    private static func isSentAgain(
        _ stored: StoredReport, _ positive: PositiveCase, of subjects: Set<SubjectIdentity>, now: Int64
    ) -> Bool {
        (0..<sendingAgain).contains(now - stored.report.received) && stored.report.positive == positive
            && Set(stored.report.subjects.map(\.identity)) == subjects
    }

    /// Returns sentences for the officer, who may be about to file what is filed already.
    func doubts(days: CalendarDays) -> [String] {
        let words = DayWords(days: days)
        return overlapping.prefix(Self.mostNamed).map { stored in
            let report = stored.report
            let test = report.positive.test.map { "with the day of the test \(DayText.text($0))" }
            let kind = report.positive.reportType == .confirmed ? "" : " that is not confirmed"
            return "\(name) has a report\(kind) already, received \(words.time(report.received)), "
                + "\(test ?? "without a day of the test"). Look at it under Reports before you file another."
        }
    }
}
