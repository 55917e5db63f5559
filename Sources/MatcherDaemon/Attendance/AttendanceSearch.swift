package import Attendance
package import InteractionStore
import Localisation
package import MatcherCore
import Matching

/// Attendance, derived from a store.
package struct AttendanceSearch: Sendable {
    package var files: AttendanceFiles
    package var rooms: RoomDirectory
    /// Rooms of floor plans, if stays are located.
    var planRooms: PlanRooms
    var rules: AttendanceRules
    /// Beginning of the retention, in seconds since 1970. Interactions that ended before it are no longer kept.
    package var oldest: Int64

    package init(
        _ configuration: MatcherConfiguration, _ settings: AttendanceSettings, _ files: AttendanceFiles, now: Int64
    ) {
        self.files = files
        rooms = RoomDirectory(configuration.rooms)
        let localisation = configuration.localisation
        planRooms = PlanRooms(localisation?.settled.isEmpty == false ? localisation?.plans ?? [] : [])
        rules = settings.rules
        oldest = now - configuration.retention * 86_400
    }

    /// Returns whether lectures have more entries than a maximum, without reading the store.
    ///
    /// - Parameter student: counts only entries of this student.
    func hasMore(than most: Int, of lectures: [Lecture], student: String? = nil) -> Bool {
        var count = 0
        for lecture in lectures {
            count += files.roster.students(of: lecture.course).count { student == nil || $0.id == student }
            if count > most { return true }
        }
        return false
    }

    /// Returns the attendance entries of lectures.
    ///
    /// - Parameters:
    ///   - lectures: in any order.
    ///   - student: returns only entries of this student.
    /// - Throws: `StoreError`.
    package func entries(
        of lectures: [Lecture], student: String? = nil, in store: InteractionStore
    ) throws -> [AttendanceEntry] {
        var numbers: [SubjectIdentity: Int64] = [:]
        // Subjects that no gateway ever received have no number: they are asked for once, too.
        var asked: Set<SubjectIdentity> = []
        var places: [String: Set<Int64>] = [:]
        var entries: [AttendanceEntry] = []
        for lecture in lectures {
            if let student, !files.roster.attends(student, course: lecture.course) { continue }
            let planRoom = planRooms.room(lecture.room)
            let isAlone = student != nil && planRoom == nil
            let all = isAlone ? [] : files.roster.students(of: lecture.course)
            let students = student.map { id in files.roster.student(id).map { [$0] } ?? [] } ?? all
            if students.isEmpty { continue }
            // Where rooms of plans tell, the stays of all students are looked up.
            let unknown = Set((isAlone ? students : all).flatMap(\.subjects)).subtracting(asked)
            asked.formUnion(unknown)
            for (subject, number) in try store.numbers(of: Array(unknown)) { numbers[subject] = number }
            let room = rooms.room(lecture.room)
            let numbersOfPlaces = try room.map { try places[$0.name] ?? self.places(of: $0, in: store) } ?? []
            if let room { places[room.name] = numbersOfPlaces }
            let phones = Set(
                students.flatMap(\.subjects).filter { $0.kind == SubjectIdentity.phone }.compactMap { numbers[$0] })
            let (from, to) = (lecture.start - rules.gap, lecture.end + rules.gap)
            // Of all students, so that one is judged as in the list of all.
            let located = try planRoom == nil ? [:] : self.located(all, numbers, from: from, to: to, in: store)
            // A phone on the roster is trusted.
            let inRoom = try store.roomStays(at: numbersOfPlaces, from: from, to: to, trusting: phones)
            let sheet = AttendanceSheet(
                lecture: lecture, radius: room?.radius ?? (planRoom == nil ? nil : 0),
                stays: planRoom.map { PlanRooms.stays(inRoom.heard, located: located, in: $0) } ?? inRoom.heard,
                reported: inRoom.ofPhones, unsynchronized: inRoom.unsynchronized, isKept: lecture.start >= oldest)
            let checkIns = try store.checkIns(lecture: lecture.id, student: student).map { ($0.student, $0.at) }
            // Read after the stays, so that no erasure of stays is missed.
            let erasures = try store.erasures(among: Set(students.flatMap(\.subjects)))
            let incomplete = Set(students.filter { $0.isIncomplete(lecture, erasures) }.map(\.id))
            let settled = try store.settledVerdicts(lecture: lecture.id, student: student).map { ($0.student, $0) }
            entries += sheet.entries(
                of: students, numbers: numbers, checkIns: Dictionary(checkIns) { first, _ in first },
                corrections: Dictionary(
                    grouping: try store.corrections(lecture: lecture.id, student: student), by: \.student),
                settled: Dictionary(settled) { first, _ in first }, incomplete: incomplete, rules: rules)
        }
        return entries
    }

    /// Returns the located stays of students, by the numbers of their subjects.
    private func located(
        _ students: [Roster.Student], _ numbers: [SubjectIdentity: Int64], from: Int64, to: Int64,
        in store: InteractionStore
    ) throws -> [Int64: [SettledStay]] {
        try store.locatedStays(
            ofSubjects: Set(students.flatMap(\.subjects).compactMap { numbers[$0] }), from: from, to: to)
    }

    /// Returns the past lectures whose interactions are all kept: their verdicts can be stored.
    ///
    /// - Parameter now: seconds since 1970.
    package func lecturesToSettle(now: Int64) -> [Lecture] {
        files.timetable.lectures(from: oldest, to: now).filter { $0.start >= oldest && $0.end <= now }
    }

    /// Returns the lectures to settle that ended within the last day, or whose interactions are deleted within a day:
    /// gateways may deliver days later.
    func urgentLectures(now: Int64) -> [Lecture] {
        lecturesToSettle(now: now).filter { $0.end > now - Self.day || $0.start < oldest + Self.day }
    }

    private static let day: Int64 = 86_400

    /// Stores the verdicts of lectures.
    ///
    /// - Returns: the number of verdicts.
    /// - Throws: `StoreError`.
    package func settle(_ lectures: [Lecture], in store: InteractionStore) throws -> Int {
        let entries = try entries(of: lectures, in: store)
        let erasures = try store.erasures(among: Set(entries.flatMap(\.student.subjects)))
        // A student whom the roster names by an erased identity is not named again.
        let verdicts = entries.filter { entry in
            !entry.student.subjects.contains {
                erasures[$0] != nil && [$0.id, $0.description].contains(entry.student.id)
            }
        }.compactMap { SettledVerdict($0) }
        try store.settle(verdicts)
        return verdicts.count
    }

    private func places(of room: Room, in store: InteractionStore) throws -> Set<Int64> {
        try store.placeNumbers(named: room.places, room: room.places.isEmpty ? room.name : nil)
    }

    /// Checks a student in to their current lecture, if there is one.
    ///
    /// - Parameters:
    ///   - student: as the roster names them; `nil` if the credential matches nobody.
    ///   - room: the room in which the student claims to be.
    ///   - now: seconds since 1970.
    ///   - isShown: whether live positions show the student in the room, for a room that only a floor plan has; `nil`
    ///     without live positions of that room.
    /// - Throws: `StoreError`.
    func checkIn(
        student: String?, room: String, now: Int64, isShown: Bool? = nil, in store: InteractionStore
    ) throws -> CheckInDecision {
        let subjects = student.flatMap { files.roster.student($0) }?.subjects ?? []
        var isThere = isShown
        if let known = rooms.room(room) {
            let numbers = Set(try store.numbers(of: subjects).values)
            let stays = try store.stays(
                at: try places(of: known, in: store), from: now - rules.gap, to: now, of: numbers,
                reportedByPhones: true)
            isThere = RoomPresence(stays, radius: known.radius, rules: rules).isThere(at: now, gap: rules.gap)
        }
        let earlier = try student.map { try store.checkIns(student: $0, since: now - Self.longestLecture) } ?? []
        let decision = CheckInDecision(
            student: student, room: room, now: now, timetable: files.timetable, roster: files.roster,
            isThere: isThere, earlier: Dictionary(earlier.map { ($0.lecture, $0.at) }) { first, _ in first },
            rules: rules)
        guard case .successful(let lecture) = decision, let student else { return decision }
        let at = try store.checkIn(
            CheckIn(lecture: lecture.id, student: student, at: now, room: room),
            during: lecture.start - rules.lookAhead..<lecture.end)
        // Another request may have checked the same student in a moment ago.
        return at == now ? decision : .alreadySigned(lecture, at: at)
    }

    /// Maximum length of a lecture with its check-in time before it, in seconds.
    private static let longestLecture = 2 * day
}

extension Roster.Student {
    /// Returns whether data of the student was erased since the lecture began, or since the beginning of an interaction
    /// that lasts into it.
    ///
    /// - Parameter erasures: times of erasure by subject, in seconds since 1970.
    fileprivate func isIncomplete(_ lecture: Lecture, _ erasures: [SubjectIdentity: Int64]) -> Bool {
        (subjects.map { erasures[$0] } + [erasedAt]).contains { time in
            time.map { $0 >= lecture.start - PhoneStays.longest } ?? false
        }
    }
}
