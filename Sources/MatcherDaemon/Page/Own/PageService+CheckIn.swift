import Attendance
import HTTPTypes
import InteractionStore
import MatcherCore
import Matching
import OperatorText
import Pages
import SignIn

// A student's signature for a lecture. The room is typed, or comes from a link such as that of a QR code at the door.
extension PageService {
    private static let day: Int64 = 86_400
    /// Maximum length of a room's name, in Unicode scalars.
    private static let longestRoom = 100

    /// Student who can check in.
    private struct Signer: Sendable {
        var student: Roster.Student
        var search: AttendanceSearch
    }

    /// Shows the form, with the room of the link.
    func checkIn(_ request: PageRequest) async throws -> PageAnswer {
        switch try await signer(request) {
        case .success(let signer): page(try await checkInPage(request, signer, room: Self.room(request.query["room"])))
        case .failure(let obstacle): page(CheckInPage(request.frame("Check-in", route: .me), obstacle: obstacle.text))
        }
    }

    /// Checks the student in.
    func signLecture(_ request: PageRequest) async throws -> PageAnswer {
        let signer: Signer
        switch try await self.signer(request) {
        case .success(let found): signer = found
        case .failure(let obstacle):
            return page(
                CheckInPage(request.frame("Check-in", route: .me), obstacle: obstacle.text),
                status: .unprocessableContent)
        }
        let (room, search) = (Self.room(request.form["room"]), signer.search)
        let decision = try await api.checkIn(signer.student, room: room, by: search, now: request.now)
        let done: DoneNotice
        switch decision {
        case .successful: done = .checkedIn
        case .alreadySigned: done = .alreadyCheckedIn
        case .notInTheRoom, .roomNotKnown, .noLecture, .credentialError:
            var content = try await checkInPage(request, signer, room: room)
            content.answer = answer(decision, room: room, rules: search.rules)
            return page(content, status: .unprocessableContent)
        }
        return .redirect("\(PageRoute.checkIn.path(["room": room]))&\(done.query)")
    }

    /// Reason why nobody can check in, in a sentence.
    private struct Obstacle: Error {
        var text: String
    }

    private func signer(_ request: PageRequest) async throws -> Result<Signer, Obstacle> {
        func obstacle(_ text: String) -> Result<Signer, Obstacle> { .failure(Obstacle(text: text)) }
        guard let number = try ownNumber(request) else {
            return obstacle(
                "Your account has no student number, so you cannot check in to lectures. Ask the person who manages "
                    + "the accounts of your institution to add it.")
        }
        let (search, damage) = try await ownRoster(now: request.now)
        if damage != nil {
            return obstacle("You cannot check in now: the timetable or the roster is damaged. Tell the lecturer.")
        }
        guard let search else { return obstacle("Attendance is not kept here, so you cannot check in.") }
        guard let student = search.files.roster.student(number) else {
            return obstacle("Your number is on no roster, so you cannot check in to lectures. Tell the lecturer.")
        }
        let (now, subjects) = (request.now, student.subjects)
        let areFixed = try await api.work { [configuration] store in
            // A mounted beacon is always in its room, whoever has it on the roster.
            try !configuration.fixedSubjects.isDisjoint(with: subjects)
                || !store.fixedBeacons(among: subjects, since: now - Self.day).isEmpty
        }
        if areFixed {
            return obstacle(
                "The badge that the roster has for you is mounted in a room, and nobody carries it. Tell the lecturer.")
        }
        return .success(Signer(student: student, search: search))
    }

    private func checkInPage(_ request: PageRequest, _ signer: Signer, room: String) async throws -> CheckInPage {
        let (student, since) = (signer.student.id, request.now - Self.day)
        let checkIns = try await api.work { try $0.checkIns(student: student, since: since) }
        let words = DayWords(days: configuration.days)
        let timetable = signer.search.files.timetable
        return CheckInPage(
            request.frame("Check-in", route: .me), room: room, rule: Self.rule(signer.search.rules),
            signed: checkIns.reversed().map { checkIn in
                let course = timetable.lecture(checkIn.lecture).map { "\($0.course), " } ?? ""
                return "\(course)\(checkIn.room), checked in at \(words.time(checkIn.at))"
            })
    }

    private static func rule(_ rules: AttendanceRules) -> String {
        "You can check in to one of your lectures while it runs, and from \(minutes(rules.lookAhead)) before it "
            + "begins, when your badge or phone is heard in its room."
    }

    /// Returns why a check-in was refused.
    private func answer(_ decision: CheckInDecision, room: String, rules: AttendanceRules) -> CheckInPage.Answer? {
        let words = DayWords(days: configuration.days)
        switch decision {
        case .successful, .alreadySigned: return nil
        case .notInTheRoom(let lecture):
            return CheckInPage.Answer(
                "Not in the room",
                sentence: "Neither a badge nor a phone of yours was heard in \(lecture.roomText) in the last "
                    + "\(Self.minutes(rules.gap)), so you are not checked in to \(lecture.course).",
                remedy: "Wait for a minute in the room, and try again. If that does not help, tell the lecturer.")
        case .roomNotKnown(let lecture):
            return CheckInPage.Answer(
                "Room not set up",
                sentence: "Nobody can check in to this room: \(lecture.roomText) is not set up for check-in.",
                remedy: "Tell the lecturer.")
        case .credentialError:
            return CheckInPage.Answer(
                "Not on the roster", sentence: "Your number is on no roster.", remedy: "Tell the lecturer.")
        case .noLecture(let next):
            let following =
                next.map {
                    "Your next lecture there is \($0.course), \(words.span($0.start, $0.end))."
                } ?? "You have no lecture there in the next week."
            return CheckInPage.Answer(
                "No lecture now",
                sentence:
                    "No lecture of yours runs in \(room), or begins there within \(Self.minutes(rules.lookAhead)). "
                    + following,
                remedy: "Check the name of the room.")
        }
    }

    private static func room(_ text: String?) -> String {
        text.map { String($0.unicodeScalars.prefix(longestRoom)) } ?? ""
    }
}
