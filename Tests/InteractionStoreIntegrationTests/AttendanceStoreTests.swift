import Attendance
import Matching
import SignIn
import Testing

@testable import EvidenceTests
@testable import InteractionStore

@Suite("Check-ins and corrections in a store") struct AttendanceStoreTests {
    private static func checkIn(_ lecture: String, _ student: String, at: Int64) -> CheckIn {
        CheckIn(lecture: lecture, student: student, at: at, room: "HB 2.11")
    }

    private static func correction(
        _ student: String, _ from: AttendanceStatus, _ to: AttendanceStatus, at: Int64, lecture: String = "a"
    ) -> Correction {
        Correction(
            lecture: lecture, student: student, time: lecture == "a" ? LectureTime(start: 50, end: 150) : nil, at: at,
            by: "Dr. O'Neill", reason: "was there; \"seen\"", from: from, to: to)
    }

    @Test(arguments: Backend.installed)
    func `Who signs twice has signed the first time`(backend: Backend) async throws {
        try await backend.withStore { store in
            let times = try [("a", "s1", 100), ("a", "s1", 200), ("b", "s1", 300), ("a", "s0", 400)].map {
                try store.checkIn(Self.checkIn($0, $1, at: $2))
            }
            #expect(times == [100, 100, 300, 400])
            #expect(
                try store.checkIns(lecture: "a") == [
                    Self.checkIn("a", "s0", at: 400), Self.checkIn("a", "s1", at: 100),
                ])
            #expect(try store.checkIns(student: "s1", since: 0).map(\.lecture) == ["a", "b"])
            #expect(try store.checkIns(student: "s1", since: 101).map(\.lecture) == ["b"])
        }
    }

    @Test(arguments: Backend.installed)
    func `A signature from another time of the lecture is replaced`(backend: Backend) async throws {
        try await backend.withStore { store in
            for (at, first) in [(100, 100), (199, 100), (200, 200), (299, 200), (450, 450)] as [(Int64, Int64)] {
                // The lecture can be signed for from 100, then from 200, then from 400.
                let time: Range<Int64> = at < 200 ? 100..<200 : at < 300 ? 200..<300 : 400..<500
                let signed = try store.checkIn(Self.checkIn("a", "s1", at: at), during: time)
                #expect(signed == first)
            }
            let signed = try store.checkIns(lecture: "a")
            #expect(signed == [Self.checkIn("a", "s1", at: 450)])
        }
    }

    @Test(arguments: Backend.installed)
    func `Every correction is kept, in order`(backend: Backend) async throws {
        try await backend.with { location in
            let corrections = [
                Self.correction("s1", .absent, .present, at: 100), Self.correction("s1", .present, .excused, at: 90),
                Self.correction("s1", .absent, .excused, at: 95, lecture: "b"),
            ]
            let store = try InteractionStore.open(location)
            for correction in corrections { try store.correct(correction) }
            // Also the same again.
            try store.correct(corrections[0])
            let read = try InteractionStore.open(location)
            #expect(try read.corrections() == corrections + [corrections[0]])
            #expect(try read.corrections(lecture: "b") == [corrections[2]])
            #expect(try read.corrections(lecture: "c").isEmpty)
        }
    }

    @Test(arguments: Backend.installed)
    func `A correction and its entry in the audit are stored together or not at all`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = Account(issuer: "i", subject: "lea", name: "Lea", roles: [.lecturer])
            let correction = Self.correction("s1", .absent, .present, at: 100)
            let entry = AuditEntry(at: 100, account: account, action: .correctedAttendance, object: "a")
            // A NUL cannot be stored.
            var badCorrection = correction
            badCorrection.reason = "\0"
            var badEntry = entry
            badEntry.detail = "\0"
            #expect(throws: StoreError.self) { try store.correct(badCorrection, audit: entry) }
            #expect(throws: StoreError.self) { try store.correct(correction, audit: badEntry) }
            #expect(try store.corrections().isEmpty)
            #expect(try store.audit(limit: 10).isEmpty)
            try store.correct(correction, audit: entry)
            #expect(try store.corrections() == [correction])
            #expect(try store.audit(limit: 10).map { $0.entry } == [entry])
        }
    }

    private static func verdict(_ student: String, _ status: AttendanceStatus) -> SettledVerdict {
        let wasThere = status != .absent
        return SettledVerdict(
            lecture: "a", student: student, time: status == .late ? LectureTime(start: 90, end: 180) : nil,
            status: status, dwell: wasThere ? 60 : 0, firstSeen: wasThere ? 100 : nil, lastSeen: wasThere ? 160 : nil)
    }

    @Test(arguments: Backend.installed)
    func `What is written down of a lecture again takes the place of what was`(backend: Backend) async throws {
        try await backend.withStore { store in
            try store.settle([Self.verdict("s2", .absent), Self.verdict("s1", .present)])
            try store.settle([Self.verdict("s2", .late)])
            try store.settle([])
            #expect(
                try store.settledVerdicts(lecture: "a") == [Self.verdict("s1", .present), Self.verdict("s2", .late)])
            #expect(try store.settledVerdicts(lecture: "b").isEmpty)
        }
    }

    @Test(arguments: Backend.installed)
    func `What is kept under a number is erased, and nothing of others`(backend: Backend) async throws {
        try await backend.withStore { store in
            for student in ["s1", "s2"] {
                _ = try store.checkIn(Self.checkIn("a", student, at: 100))
                _ = try store.checkIn(Self.checkIn("b", student, at: 200))
                try store.correct(Self.correction(student, .absent, .present, at: 100))
                try store.settle([Self.verdict(student, .present)])
                try store.save(StoredQuestionnaire(day: 1, answers: "", result: "low", at: 100), number: student)
            }
            let all = InteractionStore.NumberHoldings(checkIns: 2, corrections: 1, verdicts: 1, answers: 1)
            #expect(try store.holdings(ofNumber: "s1") == all)
            // Numbers are not folded, as the roster's are not.
            #expect(try store.erase(number: "S1").erased.isEmpty)
            let erasure = try store.erase(number: "s1")
            #expect(erasure.erased == all)
            #expect(erasure.isComplete)
            #expect(try store.holdings(ofNumber: "s1").isEmpty)
            #expect(try store.holdings(ofNumber: "s2") == all)
        }
    }

    @Test(arguments: Backend.installed)
    func `Attendance that has to be kept stays, and does not count as left`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try store.checkIn(Self.checkIn("a", "s1", at: 100))
            try store.save(StoredQuestionnaire(day: 1, answers: "", result: "low", at: 100), number: "s1")
            let erasure = try store.erase(number: "s1", keepsAttendance: true)
            #expect(erasure.erased == InteractionStore.NumberHoldings(answers: 1))
            #expect(erasure.isComplete)
            #expect(try store.holdings(ofNumber: "s1") == InteractionStore.NumberHoldings(checkIns: 1))
        }
    }

    @Test(arguments: Backend.installed)
    func `Whoever is erased leaves the check-ins of others, and none under their own name`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let subject = phone("somebody-who-is-the-student")
            // A roster takes a badge however it is written.
            for student in [subject.id, subject.description, subject.id.uppercased(), "s2"] {
                _ = try store.checkIn(Self.checkIn("a", student, at: 100))
                try store.correct(Self.correction(student, .absent, .present, at: 100))
                try store.settle([Self.verdict(student, .present)])
            }
            let erasure = try store.erase(subject, now: morning)
            #expect(erasure.isComplete, "\(erasure)")
            #expect(try store.checkIns(lecture: "a").map(\.student) == ["s2"])
            #expect(try store.corrections().map(\.student) == ["s2"])
            #expect(try store.settledVerdicts(lecture: "a").map(\.student) == ["s2"])
        }
    }
}
