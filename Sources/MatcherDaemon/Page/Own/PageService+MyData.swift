import Attendance
import HTTPTypes
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages
import SignIn
import SystemIO

// What is kept about the person who is signed in, and its deletion.
extension PageService {
    /// Seconds for which a deleted person cannot have data deleted again. A deletion keeps others waiting.
    private static let pause: Int64 = 3600

    /// Amount of data that is kept about a person now.
    private struct Own: Sendable {
        var subjects: [SubjectIdentity]
        var holdings: [InteractionStore.Holdings]
        /// Numbers of entries kept under the person's number.
        var numbered: InteractionStore.NumberHoldings
        var isInRegister: Bool
        /// Whether only an uploaded roster gives the person a badge or phone.
        var isUploaded: Bool

        /// Returns the sum of a count of all badges and phones.
        func sum(_ count: (InteractionStore.Holdings) -> Int) -> Int { holdings.reduce(0) { $0 + count($1) } }
    }

    /// Whether the person's attendance is kept when the person's data is deleted.
    private var keepsAttendance: Bool { configuration.attendance?.studentsErase == false }

    /// Shows what is kept.
    func myData(_ request: PageRequest) async throws -> PageAnswer { page(try await myDataPage(request)) }

    /// Deletes what `beacon-matcher erase` deletes, for all badges and phones of the person, and what is kept under the
    /// person's number.
    func eraseMyData(_ request: PageRequest) async throws -> PageAnswer {
        guard let number = try ownNumber(request), request.form["number"] == number else {
            var content = try await myDataPage(request)
            content.mistake = "This is not your number, so nothing was deleted. Type \(content.number)."
            return page(content, status: .unprocessableContent)
        }
        // Of requests at the same time, each would find that nothing was deleted lately.
        guard api.erasing.withLock({ $0.insert(number).inserted }) else { throw PageError.stillErasing }
        defer { api.erasing.withLock { _ = $0.remove(number) } }
        let subjects = try await ownSubjects(request)
        let now = request.now
        let erased = try await api.work { try $0.erasures(among: Set(subjects)) }
        if !subjects.isEmpty, subjects.allSatisfy({ erased[$0].map { now - $0 < Self.pause } ?? false }) {
            throw PageError.invalid(
                "Your data was deleted less than an hour ago, so nothing was done.",
                "Wait for an hour, and delete what came since then.")
        }
        let entry = AuditEntry(at: now, account: .unnamed, action: .erasedOwnData)
        try await api.work { try $0.note(entry) }
        // Others have the store between two of these steps, which are long in large stores.
        var erasures: [InteractionStore.UnprovenErasure] = []
        for subject in subjects {
            erasures.append(
                try await api.work { try SubjectErasure.eraseRows(of: subject, in: $0, now: now).erasure })
        }
        // After the badges: verdicts could be derived again from what they were heard.
        let keepsAttendance = keepsAttendance
        let numbered = try await api.work { try $0.erase(number: number, keepsAttendance: keepsAttendance) }
        // Topics at the broker are emptied now, not with the next look.
        api.notices.wake()
        if !erasures.isEmpty {
            for step in try await api.work({ $0.traceSteps }) { try await api.work { try $0.removeTraces(step) } }
        }
        var isComplete = numbered.isComplete
        for erasure in erasures {
            let proof = try await api.work { try $0.prove(erasure) }
            isComplete = isComplete && proof.isComplete
        }
        return .redirect(PageRoute.myData.path(done: isComplete ? .erased : .erasedInPart))
    }

    private func myDataPage(_ request: PageRequest) async throws -> MyDataPage {
        let frame = request.frame("Data that is kept about me", route: .me)
        guard let number = try ownNumber(request) else {
            return MyDataPage(
                frame,
                obstacle:
                    "Your account has no student or staff number, so nothing can be found about you. Ask the person "
                    + "who manages the accounts of your institution to add it.")
        }
        let subjects = try await ownSubjects(request)
        let (search, _) = try await ownRoster(now: request.now)
        let isUploaded = search?.files.hasUploadedSubject(of: number, besides: subjects) ?? false
        let own = try await api.work { store in
            Own(
                subjects: subjects, holdings: try subjects.map { try store.holdings(of: $0) },
                numbered: try store.holdings(ofNumber: number),
                isInRegister: try store.person(number: number) != nil, isUploaded: isUploaded)
        }
        let erasable = own.numbered.answers + own.numbered.submitted + (keepsAttendance ? 0 : own.numbered.attendance)
        return MyDataPage(
            frame, number: number,
            devices: subjects.map {
                MyDataPage.Device(kind: $0.kind == SubjectIdentity.phone ? "Phone" : "Badge", id: $0.id)
            },
            held: held(own), left: left(own), canErase: !own.subjects.isEmpty || erasable > 0)
    }

    /// Returns what is kept, by kinds.
    private func held(_ own: Own) -> [MyDataPage.Held] {
        func days(_ count: Int64) -> String { count == 1 ? "1 day" : "\(count) days" }
        func count(_ number: Int, _ one: String, _ more: String) -> String {
            number == 0 ? "nothing" : "\(number) \(number == 1 ? one : more)"
        }
        let interactions = own.sum { $0.interactions }
        let spans = own.holdings.compactMap(\.times)
        var heard = count(interactions, "time", "times")
        if let first = spans.map(\.lowerBound).min(), let last = spans.map(\.upperBound).max() {
            let words = DayWords(days: configuration.days)
            heard += ", \(words.day(of: first)) to \(words.day(of: last))"
        }
        let located = configuration.localisation?.stayRetention ?? configuration.readingRetention
        var held = [
            MyDataPage.Held(
                "When and near which gateway you were heard", heard, days(configuration.retention)),
            MyDataPage.Held(
                "How strongly you were heard", count(own.sum { $0.minutes }, "minute", "minutes"),
                days(configuration.readingRetention)),
            MyDataPage.Held("In which rooms you were", count(own.sum { $0.stays }, "stay", "stays"), days(located)),
            MyDataPage.Held(
                "Exposures", count(own.sum { $0.exposures }, "exposure", "exposures"), days(configuration.retention)),
            MyDataPage.Held(
                "Reports of a positive test about you", count(own.sum { $0.reports }, "report", "reports"),
                days(configuration.reports.retention)),
            MyDataPage.Held(
                "Answers to the questionnaire", count(own.numbered.answers, "day", "days"),
                days(configuration.reports.retention)
            ),
            MyDataPage.Held(
                "Your entry in the register of people", own.isInRegister ? "1 entry" : "nothing",
                "until your institution takes you off the list"),
        ]
        if own.numbered.submitted > 0 {
            held.append(
                MyDataPage.Held(
                    "Test results sent in with your number that wait for an officer, with their pictures",
                    count(own.numbered.submitted, "result", "results"), days(InteractionStore.waitingLifetime / 86_400))
            )
        }
        if !keepsAttendance, configuration.attendance != nil || own.numbered.attendance > 0 {
            held.append(
                MyDataPage.Held(
                    "Attendance: your check-ins, corrections and settled verdicts",
                    count(own.numbered.attendance, "entry", "entries"), "until you delete it"))
        }
        let spots = own.sum { $0.surveySpots }
        if spots > 0 {
            held.append(
                MyDataPage.Held(
                    "Surveys of a floor in which you carried a badge", count(spots, "spot", "spots"),
                    "until the survey is removed"))
        }
        return held
    }

    /// Returns what a deletion does not reach.
    private func left(_ own: Own) -> [String] {
        var left: [String] = []
        if configuration.attendance != nil {
            left.append(
                "Rosters of your institution: which courses you attend. Ask the lecturer or your institution.")
        }
        if own.isUploaded {
            left.append(
                "What was heard of a badge or phone that only a roster that was uploaded here gives you: anybody's "
                    + "could be on it. Ask the person who runs this service.")
        }
        if keepsAttendance {
            left.append(
                "Your attendance, check-ins and corrections, because your institution has to keep attendance. Ask the "
                    + "lecturer or your institution.")
        }
        if own.isInRegister {
            left.append(
                "The list of people of your institution, from which the register is imported again. "
                    + (own.subjects.isEmpty
                        ? "Your entry stays, because it has no badge and no phone." : "Your entry here is deleted."))
        }
        left += [
            "What phones of others have already fetched of a report about you: random numbers without a name, until "
                + "they are 14 days old.",
            "What people with a role did on this page, such as that a lecturer corrected your attendance. Your "
                + "sign-ins as a student are not noted.",
            "Your session, until you sign out.",
            "Copies elsewhere: backups, and what waits at the message broker. They have times of their own.",
        ]
        return left
    }
}

extension PageError {
    static let stillErasing = Self(
        .tooManyRequests, "Still deleting",
        "Your data is being deleted by an earlier request, so nothing more was done.",
        "Open the page again in a minute.", retryAfter: 60)
}
