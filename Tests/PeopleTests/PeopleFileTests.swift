import Matching
import OperatorText
import People
import Testing

@Suite("Files of people") struct PeopleFileTests {
    private static let badge = "badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/1"

    private func parse(_ text: String) throws -> [Person] { try PeopleFile.parse(Array(text.utf8), file: "p.csv") }

    private func error(_ bytes: [UInt8]) -> PeopleFileError? {
        do throws(PeopleFileError) {
            _ = try PeopleFile.parse(bytes, file: "p.csv")
            return nil
        } catch {
            return error
        }
    }

    private func problems(_ text: String) -> [String] { error(Array(text.utf8))?.problems.map(\.description) ?? [] }

    @Test(arguments: ["\n", "\r\n"])
    func `A file is read with either end of lines, a byte order mark, and rows of one person`(end: String) throws {
        let text = [
            "\u{FEFF}Name;Number;Subject;Contact", "\"Smith, Anna\";17;BADGE;anna@campus.example", ";17;phone:abc;",
            "Ben;18;;+49 30 1234", "",
        ].joined(separator: end).replacing("BADGE", with: Self.badge)
        let people = try parse(text)
        #expect(people.map(\.number) == ["17", "18"])
        #expect(people.map(\.name) == ["Smith, Anna", "Ben"])
        #expect(people.map(\.contact) == [["anna@campus.example"], ["+49 30 1234"]])
        #expect(people.map { $0.subjects.map(\.description) } == [[Self.badge, "phone:abc"], []])
    }

    @Test func `A cell may have several subjects and contacts`() throws {
        let people = try parse(
            "number,name,contact,subject\n1,Anna,a@b.example; 030 123,phone:a phone:b;phone:c phone:a\n")
        #expect(people.first?.contact == ["a@b.example", "030 123"])
        #expect(people.first?.subjects.map(\.description) == ["phone:a", "phone:b", "phone:c"])
    }

    @Test func `What is exported is imported as it was`() throws {
        let people = try parse(
            "number,name,contact,subject\n2,\"\"\"Ann\"\" Lee, jr.\",a@b.example;+49 30 1,phone:b \(Self.badge)\n1,Bo,,\n"
        )
        let lines = [PeopleFile.header] + people.map(PeopleFile.line)
        #expect(lines[1] == #""1","Bo","","""#)
        #expect(try parse(lines.joined(separator: "\n")) == people)
        #expect(try PeopleFile.parse(Array(("\u{FEFF}" + lines.joined(separator: "\r\n")).utf8), file: "") == people)
    }

    @Test func `A quote with a combining mark is exported as a quote`() throws {
        let people = try parse("number,name\n1,\"Ann \"\"\u{308}x\"\n")
        #expect(people.map(\.name) == ["Ann \"\u{308}x"])
        #expect(try parse(([PeopleFile.header] + people.map(PeopleFile.line)).joined(separator: "\n")) == people)
    }

    @Test func `A name is spelled with joiners where its script has them, and with nothing else that is invisible`()
        throws
    {
        let names = ["علی\u{200C}رضا", "क्\u{200D}षमा"]
        #expect(try parse("number,name\n1,\(names[0])\n2,\(names[1])\n").map(\.name) == names)
        for name in ["Ann\u{200C}a", "\u{200C}علی", "ع\u{202E}لی", "ع\u{200B}لی"] {
            #expect(problems("number,name\n1,\(name)\n").count == 1, "\(name)")
        }
        #expect(problems("number,name,contact\n1,Ann,ع\u{200C}ل@b.example\n").count == 1)
    }

    @Test func `A contact that would join the separator in front of it is a mistake`() {
        let problems = problems("number,name,contact\n1,Ann,a@b.example\n1,,\u{308}c@d.example\n")
        #expect(problems.count == 1 && problems.first?.hasPrefix("line 3, column contact") == true, "\(problems)")
    }

    @Test func `All mistakes are said at once, with line and column`() {
        let problems = problems(
            """
            number,name,contact,subject
            ,Ann,,
            1,=SUM(A1),,
            2,Bo,nobody,badge:1/2
            2,Bob,,c19x:1
            3,,,
            4,Di,-1,phone:x
            5,Ed,,phone:x
            6,a,b,c,d
            """)
        let starts = [
            "line 2, column number: is empty", "line 3, column name: found \"=SUM(A1)\"",
            "line 4, column contact: found \"nobody\"; must be an e-mail address or a telephone number",
            "line 4, column subject: found \"badge:1/2\"",
            "line 5, column name: found \"Bob\"; must be \"Bo\" as on line 4",
            "line 5, column subject: found \"c19x:1\"; must begin with badge: or phone:",
            "line 7, column contact: found \"-1\"",
            "line 8, column subject: phone:x belongs to \"Ed\" (5) here and to \"Di\" (4) on line 7",
            "line 9: has 5 cells", "line 6, column name: is empty",
        ]
        #expect(problems.count == starts.count, "\(problems)")
        for (problem, start) in zip(problems, starts) { #expect(problem.hasPrefix(start), "\(problem)") }
    }

    @Test func `Columns that are unknown, twice or missing are mistakes`() {
        #expect(
            problems("number,nmae,subject,subject\n1,a,,\n") == [
                "line 1: unknown column \"nmae\"; the first line must be number,name,contact,subject",
                "line 1: duplicate column subject; the first line must be number,name,contact,subject",
                "line 1: the column name is missing; the first line must be number,name,contact,subject",
            ])
    }

    @Test func `Of many mistakes the first fifty are listed`() {
        let rows = (0..<120).map { "\($0),@\($0)" }
        let error = error(Array((["number,name"] + rows).joined(separator: "\n").utf8))
        #expect(error?.problems.count == 50 && error?.others == 70)
        #expect(error?.what.hasPrefix("p.csv has 120 problems\n") == true)
        #expect(error?.what.hasSuffix("\n  and 70 more") == true)
    }

    @Test func `A file in another encoding is refused with how to save it`() {
        let latin1 = Array("number,name\n1,Ann\n2,M".utf8) + [0xFC] + Array("ller\n".utf8)
        let utf16: [UInt8] = [0xFF, 0xFE] + Array("number".utf8).flatMap { [$0, 0] }
        #expect(error(latin1)?.problems.first?.description.hasPrefix("line 3: is not UTF-8 text") == true)
        #expect(error(utf16)?.problems.first?.description.hasPrefix("file: is UTF-16") == true)
        for bytes in [latin1, utf16] { #expect(error(bytes)?.what.contains("\"CSV UTF-8\"") == true) }
    }

    @Test func `A file has at most so many bytes, rows and devices of a person`() {
        let long = [UInt8](repeating: UInt8(ascii: "a"), count: PeopleFile.longest + 1)
        #expect(error(long)?.what.contains("must have at most 16777216") == true)
        let empty = [UInt8](repeating: UInt8(ascii: "\n"), count: PeopleFile.mostRows + 2)
        #expect(error(empty)?.what.contains("must have at most 200000 rows") == true)
        let phones = (0...Person.mostSubjects).map { "phone:\($0)" }.joined(separator: " ")
        #expect(problems("number,name,subject\n1,Ann,\(phones)\n").first?.contains("at most 8") == true)
    }

    @Test func `A file without people is refused`() {
        #expect(problems("number,name\n") == ["file: has no people; must have a row for each person"])
        #expect(problems("") == ["line 1: has no columns; the first line must be number,name,contact,subject"])
    }

    @Test func `A fixed beacon is nobody's`() throws {
        let fixed = try #require(SubjectIdentity(Self.badge))
        let text = "number,name,subject\n1,Ann,\(Self.badge)\n"
        let error = #expect(throws: PeopleFileError.self) {
            try PeopleFile.parse(Array(text.utf8), file: "p.csv", fixedBeacons: [fixed])
        }
        #expect(error?.problems.first?.found.contains("a fixed beacon") == true)
    }
}
