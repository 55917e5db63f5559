import Attendance
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages
import People
import SignIn

// The person's own screen: what is known about the person who is signed in, and nobody else.
extension PageService {
    private static let day: Int64 = 86_400
    /// Number of days of the own attendance.
    private static let attendanceDays: Int64 = 14
    private static let mostLectures = 100

    /// Facts about a person from the store.
    private struct Known: Sendable {
        /// The person in the register; `nil` if it does not have the person.
        var person: Person?
        var wantsMail: Bool
        var subjects: [SubjectIdentity]
        var told: [ExposureTelling.Told]
        /// Time at which each subject was last heard, in seconds since 1970.
        var heard: [SubjectIdentity: Int64]
        /// Time of the last change of the exposures that are shown, in seconds since 1970.
        var changed: Int64?
        /// Time of the last change of a notice, also by a withdrawal, in seconds since 1970.
        var noticeChange: Int64
        /// Whether nobody has looked yet who was exposed by some reports.
        var hasUnmatched: Bool
        /// The latest answers to the questionnaire.
        var answered: StoredQuestionnaire?
    }

    /// Shows a person their own status.
    func me(_ request: PageRequest) async throws -> PageAnswer {
        let words = StatusWords(words: DayWords(days: configuration.days), policy: api.policy, telling: api.telling)
        var content = MePage(
            request.frame("My status", route: .me), absence: nil, status: nil, devices: [], attendance: nil,
            kept: kept)
        guard let number = try ownNumber(request) else {
            content.absence = MePage.Absence(
                what: "Your account has no student or staff number, so nothing can be found about you.",
                remedy: "Ask the person who manages the accounts of your institution to add your number to your "
                    + "account. What was not found is not known: this says nothing about your health.")
            return page(content)
        }
        let (roster, damage) = try await ownRoster(now: request.now)
        let student = roster?.files.roster.student(number)
        let configured = roster?.files.configured.student(number)
        let known = try await known(number: number, configured: configured, now: request.now)
        content.devices = known.subjects.map { words.device($0, heard: known.heard[$0], now: request.now) }
        content.mail = known.person.map { mailPreference(of: $0, isOn: known.wantsMail) }
        content.questionnaire = asked(
            known.answered, isExposed: known.told.contains { !$0.days.isEmpty }, now: request.now)
        content.canCheckIn = student != nil
        if known.subjects.isEmpty, damage != nil {
            content.absence = MePage.Absence(
                what: "The timetable or the roster is damaged, so it is not known which badges and phones are yours, "
                    + "and no contact of yours can be known now.",
                remedy: "Tell the person who runs this service, and try again later. What is not known is no "
                    + "information about your health.")
        } else if known.subjects.isEmpty {
            content.absence = MePage.Absence(
                what: Self.absence(
                    isKnown: known.person != nil || student != nil,
                    isUploaded: roster?.files.hasUploadedSubject(of: number) ?? false),
                remedy: "Write to the person who runs this service, with your number \(number.shown(upTo: 64)). What "
                    + "is not known is no information about your health.")
        } else {
            content.status = words.status(
                known.told, subjects: known.subjects, heard: known.heard, changed: known.changed,
                hasUnmatched: known.hasUnmatched, now: request.now)
            content.news = PageRoute.news.path + "?since=\(known.noticeChange)"
        }
        if let damage {
            content.attendance = MePage.Attendance(span: "", nothing: damage, lectures: [])
        } else if let roster, let student {
            content.attendance = try await attendance(of: student, roster, words.words, now: request.now)
        }
        return page(content)
    }

    /// Returns the rules and files of attendance, or why they cannot be used; neither if attendance is disabled.
    func ownRoster(now: Int64) async throws -> (AttendanceSearch?, damage: String?) {
        guard let attendance = configuration.attendance else { return (nil, nil) }
        do {
            let files = try await api.files(attendance, now: now)
            return (AttendanceSearch(configuration, attendance, files, now: now), nil)
        } catch is AttendanceFileError {
            return (nil, "Your attendance cannot be shown now: the timetable or the roster is damaged.")
        }
    }

    /// Returns why no contact of a person can be known, in a sentence.
    ///
    /// - Parameters:
    ///   - isKnown: whether the register or a roster has the number.
    ///   - isUploaded: whether an uploaded roster has a badge or phone for the number.
    private static func absence(isKnown: Bool, isUploaded: Bool) -> String {
        if isUploaded {
            return "Your badge or phone is only on a roster that was uploaded here. Such a roster counts for "
                + "attendance alone, so no contact of yours can be known."
        }
        return isKnown
            ? "No badge and no phone is registered under your number, so no contact of yours can be known."
            : "Your number is not in the register of people, so no contact of yours can be known."
    }

    /// Reads what is known of a person. The register of people comes first; who is only on the roster of the
    /// configuration has the devices named there.
    private func known(number: String, configured: Roster.Student?, now: Int64) async throws -> Known {
        let (service, telling) = (self, api.telling)
        return try await api.work { store in
            let person = try store.person(number: number)
            let subjects = try Self.subjects(of: person, configured, number: number, in: store)
            let told = try subjects.map { subject in
                // Exposures that must not be told yet are not read either.
                let exposures = try store.exposures(of: subject, endedBefore: telling.end(for: subject, now: now))
                return telling.told(exposures, to: subject, now: now)
            }
            return Known(
                person: person, wantsMail: try store.wantsMail(number: number), subjects: subjects, told: told,
                heard: try store.lastHeard(of: Set(subjects), now: now),
                changed: try store.noticesChanged(of: Set(subjects)).values.max(),
                noticeChange: try store.latestNoticeChange(of: Set(subjects)),
                hasUnmatched: try service.unmatchedCount(in: store) > 0,
                answered: try store.questionnaires(of: number).first)
        }
    }

    /// Returns the badges and phones of a person: those of the register or, for a person who is not in it, those of the
    /// roster that the register gives to nobody else.
    ///
    /// - Parameter configured: the person on the roster of the configuration. What a lecturer uploads does not say whose
    ///   health and data a badge tells.
    /// - Throws: `StoreError`.
    static func subjects(
        of person: Person?, _ configured: Roster.Student?, number: String, in store: InteractionStore
    ) throws -> [SubjectIdentity] {
        if let person, !person.subjects.isEmpty { return Set(person.subjects).sorted() }
        let subjects = Set(configured?.subjects ?? [])
        let owners = try store.people(of: subjects)
        return subjects.filter { owners[$0].map { $0.number == number } ?? true }.sorted()
    }

    /// Returns the number of the account that is signed in.
    ///
    /// - Returns: `nil` if the account has none.
    /// - Throws: `PageError.signedOut`.
    func ownNumber(_ request: PageRequest) throws(PageError) -> String? {
        try request.account().number.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the person's own attendance of the last days.
    private func attendance(
        of student: Roster.Student, _ search: AttendanceSearch, _ days: DayWords, now: Int64
    ) async throws -> MePage.Attendance {
        let since = now - Self.attendanceDays * Self.day
        let lectures = search.files.timetable.lectures(from: since, to: now).filter {
            $0.end <= now && search.files.roster.attends(student.id, course: $0.course)
        }
        let found = try await entries(
            of: Array(lectures.suffix(Self.mostLectures)), student: student.id, by: search)
        let words = AttendanceWords(words: days)
        let own = AttendanceReport(found, now: now).entries.reversed().map { entry in
            MePage.Lecture(
                course: entry.lecture.course, when: days.span(entry.lecture.start, entry.lecture.end),
                status: words.status(entry, now: now),
                remark: words.latestCorrection(entry) ?? words.checkIn(entry).map { $0 + "." })
        }
        return MePage.Attendance(
            span: "Lectures of the last \(Self.attendanceDays) days. Tell the lecturer if one of them is wrong.",
            nothing: own.isEmpty ? "None of your lectures has ended in this time." : nil, lectures: own)
    }
}
