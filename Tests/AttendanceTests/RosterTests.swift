import Attendance
import Matching
import OperatorText
import Testing

@Suite("Rosters") struct RosterTests {
    private func problems(_ text: String) -> [String] {
        do throws(AttendanceFileError) {
            _ = try RosterFile.parse(Array(text.utf8), file: "r.csv")
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test func `A student may take several courses and carry several things, or nothing`() throws {
        let text = """
            course;student;subject;name
            Algorithms;s1;badge:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/1/1;Ann
            algorithms;s1;phone:abc;Ann
            "Analysis; first part";s1;phone:abc
            Algorithms;s2;;Ben

            """
        let roster = try RosterFile.parse(Array(("\u{FEFF}" + text).utf8), file: "r.csv")
        let ann = try #require(roster.student("s1"))
        #expect(ann.name == "Ann")
        #expect(
            ann.subjects.map(\.description) == ["badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/1", "phone:abc"])
        #expect(roster.students(of: "ALGORITHMS").map(\.id) == ["s1", "s2"])
        #expect(roster.student("s2")?.subjects == [])
        #expect(roster.courseNames == ["Algorithms", "Analysis; first part"])
        #expect(roster.attends("s1", course: "analysis; first  part"))
        #expect(!roster.attends("s2", course: "Analysis; first part"))
        let phone = try #require(SubjectIdentity("phone:abc"))
        #expect(roster.student(with: phone)?.id == "s1")
    }

    @Test func `A name is spelled with joiners where its script has them`() throws {
        let name = "علی\u{200C}رضا"
        let roster = try RosterFile.parse(Array("course,student,subject,name\nA,s1,,\(name)\n".utf8), file: "r.csv")
        #expect(roster.student("s1")?.name == name)
        #expect(problems("course,student,subject,name\nA,s1,,Ann\u{200C}a\n").count == 1)
        #expect(problems("course,student,subject,name\nA,s1,,ع\u{202E}لی\n").count == 1)
    }

    @Test func `A fixed beacon is nobody's, which is said with row and column`() throws {
        let fixed = "badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/9/9"
        let text =
            "course,student,subject\nA,s1,badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/1\nA,s2,\(fixed.uppercased())\n"
            .replacing("BADGE", with: "badge")
        let error = #expect(throws: AttendanceFileError.self) {
            try RosterFile.parse(
                Array(text.utf8), file: "r.csv", fixedBeacons: [try #require(SubjectIdentity(fixed))])
        }
        #expect(
            error?.problems.map(\.description) == [
                "line 3, column subject: found \"badge:E2C56DB5-DFFB-48D2-B060-D0F5A71096E0/9/9\", a fixed beacon; "
                    + "must be a badge or phone that the student carries"
            ])
    }

    @Test func `Every mistake is said with its line`() {
        let problems = problems(
            """
            course,student,subject,name
            A,s1,badge,Ann
            A,,phone:1,Ben
            A,s2,phone:2,Ben,more
            A,s3,phone:3,Cid
            B,s3,phone:3,Dan
            B,s4,phone:3,Eve
            A,s3,phone:3,Cid
            """)
        #expect(
            problems == [
                "line 2, column subject: found \"badge\"; must be \(SubjectIdentity.form)",
                "line 3, column student: is empty; must be 1 to 100 characters on one line",
                "line 4: has 5 cells; must have 4: quote cells that contain a comma",
                "line 6, column name: found \"Dan\"; must be \"Cid\" as on line 5, or another student",
                "line 7, column subject: phone:3 belongs to \"s4\" here and to \"s3\" on line 5; must belong to one "
                    + "student",
                "line 8: repeats line 5; each row must be unique",
            ])
    }

    @Test func `Of many mistakes the first are kept, and the others counted`() {
        let rows = (0..<70).map { "A,s\($0),badge\n" }.joined()
        let error = #expect(throws: AttendanceFileError.self) {
            try RosterFile.rows(Array(("course,student,subject\n" + rows).utf8), file: "r.csv")
        }
        #expect(error?.problems.count == 50 && error?.others == 20)
        #expect(error?.what.hasPrefix("r.csv has 70 problems\n") == true)
        #expect(error?.what.hasSuffix("\n  and 20 more") == true)
    }

    // An O in the place of a zero, 35 characters, a number that no beacon has, and a kind that nobody carries.
    @Test func `What is no badge or phone is said with its row and column`() {
        let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
        let problems = problems(
            """
            course,student,subject
            A,s1,badge:\(uuid.replacing("d0f5", with: "dOf5"))/1/1
            A,s2,badge:\(uuid.dropLast())/1/2
            A,s3,badge:\(uuid)/1/70000
            A,s4,badge:\(uuid)/1
            A,s5,bagde:\(uuid)/1/5
            A,s6,badge:\(uuid.replacing("-", with: ""))/1/6
            """)
        #expect(problems.count == 5)
        #expect(
            problems[0].hasSuffix("must be badge:UUID/MAJOR/MINOR: \"O\" is not a hexadecimal digit"), "\(problems)")
        #expect(problems[1].hasSuffix("the UUID has 31 digits, and must have 32, in groups of 8-4-4-4-12"))
        #expect(problems[2].hasSuffix("must be badge:UUID/MAJOR/MINOR, the two numbers from 0 to 65535"))
        #expect(problems[3].hasSuffix("must be badge:UUID/MAJOR/MINOR"))
        #expect(problems[4].hasSuffix("must begin with badge: or phone:"))
        for (problem, line) in zip(problems, 2...6) {
            #expect(problem.hasPrefix("line \(line), column subject: found \"ba"))
        }
    }

    @Test(
        "A file that is no roster is said to be none",
        arguments: [
            ("", "line 1: has no columns"), ("course,student", "line 1: the column subject is missing"),
            ("course,student,subject,age", "line 1: unknown column \"age\""),
            ("course,student,subject,course", "line 1: duplicate column course"),
            ("course,student,subject\n\"A,s,p", "line 2: a quoted cell is not closed"),
        ])
    func none(text: String, problem: String) {
        #expect(problems(text).contains { $0.hasPrefix(problem) }, "\(problems(text))")
    }
}
