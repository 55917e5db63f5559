import Pages
import SignIn
import Testing

@Suite("Pages of attendance") struct AttendancePageTests {
    private static func row(
        _ student: String = "Ann Other", corrections: [LecturePage.Correction] = [], typed: String = "",
        problem: String? = nil
    ) -> LecturePage.Row {
        LecturePage.Row(
            student: student, id: "4711", isNamed: true, timelinePath: "/timeline?student=4711",
            status: StatusWord("Late", tone: "warn"), stay: "10:20 to 11:30, 70 min", checkIn: "Checked in at 10:21",
            reasons: ["Came 20 min after the beginning."], corrections: corrections,
            form: LecturePage.Form(
                options: [.init(value: "excused", label: "Excused", isSelected: true)], typed: typed, problem: problem))
    }

    private static func lecture(_ rows: [LecturePage.Row], id: String = "l1") -> LecturePage {
        LecturePage(
            ShownPage.frame("Algorithms", .lecturer), lecture: id, course: "Algorithms", title: nil,
            when: "Mon 2026-11-02, 10:00 to 11:30", room: "R1", pending: nil,
            counts: [.init(label: "Students", number: "1")], rows: rows, tablePath: "/lecture.csv?id=l1",
            listPath: "/lectures?course=Algorithms")
    }

    private static func total(_ label: String = "Ann Other") -> LecturesPage.Total {
        LecturesPage.Total(
            label: label, number: "4711", path: "/timeline?student=4711", attended: "3 of 4", percent: "75 %",
            late: "1", leftEarly: "0", excused: "0", unknown: "0")
    }

    private static func lectures() -> LecturesPage {
        LecturesPage(
            ShownPage.frame("Attendance", .lecturer),
            filter: .init(courses: [.init("Algorithms", isChosen: true)], chosen: "Algorithms"),
            lists: [
                .init(
                    heading: "Past", caption: "Lectures of the last 14 days",
                    rows: [
                        .init(
                            when: "Mon 2026-11-02, 10:00 to 11:30", course: "Algorithms", title: nil, room: "R1",
                            path: "/lecture?id=l1")
                    ])
            ],
            students: .init(
                course: "Algorithms", span: "4 lectures.", rows: [total()], all: total("All students"),
                grid: AttendanceGrid(
                    extent: "All lectures that have ended.",
                    columns: [.init("Mon 2026-11-02 10:00", path: "/lecture?id=l1")],
                    students: [
                        .init(
                            "Ann Other", number: "4711", path: "/timeline?student=4711",
                            cells: [
                                .init(column: "Mon 2026-11-02 10:00", status: StatusWord("Late", tone: "warn"))
                            ]),
                        .init(
                            "4712", number: nil, path: "/timeline?student=4712",
                            cells: [.init(column: "Mon 2026-11-02 10:00", status: nil)]),
                    ])))
    }

    private static func timeline() -> TimelinePage {
        TimelinePage(
            ShownPage.frame("Attendance of Ann Other", .lecturer), student: "Ann Other", number: "4711",
            span: "Lectures since Mon 2026-11-02.", more: nil, totals: [total("Algorithms")],
            days: [
                .init(
                    "Mon 2026-11-02",
                    lectures: [
                        .init(
                            course: "Algorithms", clock: "10:00 to 11:30", room: "R1", path: "/lecture?id=l1",
                            status: StatusWord("Absent", tone: "bad"), reasons: ["Checked in at 10:01"])
                    ])
            ], listPath: "/lectures")
    }

    @Test func `Each page has one first heading, captions, scopes and labels`() throws {
        for page in [
            try ShownPage(Self.lecture([Self.row()])), try ShownPage(Self.lectures()), try ShownPage(Self.timeline()),
        ] {
            #expect(page.count("<h1>") == 1)
            #expect(page.unlabelledFields.isEmpty)
            #expect(page.nakedTables == 0)
            #expect(page.count(" style=") == 0)
        }
    }

    @Test func `A lecture shows status, reasons, signature and every correction in words`() throws {
        let correction = LecturePage.Correction(
            at: "Tue 2026-11-03 09:00", by: "Dean", former: "absent", new: "excused", why: "was ill")
        let page = try ShownPage(Self.lecture([Self.row(corrections: [correction])]))
        for part in [
            "Late", "Came 20 min after the beginning.", "Checked in at 10:21",
            "Corrected from absent to excused by Dean, Tue 2026-11-03 09:00: was ill",
        ] { #expect(page.words.contains(part), "\(part)") }
    }

    @Test func `A correction of a lecture that was moved says which time it was about`() throws {
        let correction = LecturePage.Correction(
            at: "Tue 2026-11-03 09:00", by: "Dean", former: "absent", new: "excused", why: "was ill",
            moved: "when the lecture was Mon 2026-11-02, 10:00 to 11:30, so it does not count now")
        let text = "was ill (when the lecture was Mon 2026-11-02, 10:00 to 11:30, so it does not count now)"
        #expect(try ShownPage(Self.lecture([Self.row(corrections: [correction])])).words.contains(text))
    }

    @Test func `A part of the students of a lecture has links that say which part they lead to`() throws {
        var lecture = Self.lecture([Self.row()])
        (lecture.previousPath, lecture.nextPath) = ("/lecture?id=l1", "/lecture?id=l1&from=200")
        let page = try ShownPage(lecture)
        #expect(page.count(#"<a rel="prev" href="/lecture?id=l1">"#) == 1)
        #expect(page.count(#"<a rel="next" href="/lecture?id=l1&amp;from=200">"#) == 1)
        #expect(try ShownPage(Self.lecture([Self.row()])).count("rel=\"next\"") == 0)
    }

    @Test func `A course has a row for each student and a column for each lecture`() throws {
        let page = try ShownPage(Self.lectures())
        #expect(page.count(#"<a href="/lecture?id=l1">Mon 2026-11-02 10:00</a></th>"#) == 1)
        #expect(page.count(#"<td data-label="Mon 2026-11-02 10:00"><span class="tag warn">Late</span></td>"#) == 1)
        #expect(page.count(#"<td data-label="Mon 2026-11-02 10:00"></td>"#) == 1)
    }

    @Test func `A list of lectures leads to its earlier part`() throws {
        var page = Self.lectures()
        #expect(try !ShownPage(page).words.contains("Earlier lectures"))
        page.lists[0].olderPath = "/lectures?course=Algorithms&past=30"
        let link = #"<a href="/lectures?course=Algorithms&amp;past=30">Earlier lectures</a>"#
        #expect(try ShownPage(page).count(link) == 1)
    }

    @Test func `Students of one name are told apart by their numbers, and one without a name has it once`() throws {
        let page = try ShownPage(Self.lectures())
        #expect(page.count(#">Ann Other</a> <small class="id">4711</small></th>"#) == 1)
        #expect(page.count(#"<a href="/timeline?student=4712">4712</a></th>"#) == 1)
    }

    @Test func `A form that corrects works without a script, and sends its token`() throws {
        let page = try ShownPage(Self.lecture([Self.row()]))
        #expect(page.count("<details>") == 1)
        #expect(page.count(#"<form class="stack" method="post" action="/lecture/correct">"#) == 1)
        // One in this form, one in that of the sign-out.
        #expect(page.count(#"name="token" value="form-token""#) == 2)
        #expect(page.count(#"name="student" value="4711""#) == 1)
    }

    @Test func `A correction that is not accepted stays open with what was typed`() throws {
        let page = try ShownPage(Self.lecture([Self.row(typed: "was \"ill\"", problem: "Nothing was saved.")]))
        #expect(page.count("<details open>") == 1)
        #expect(page.count(#"value="was &quot;ill&quot;""#) == 1)
        #expect(page.words.contains("Nothing was saved."))
    }

    @Test(arguments: [Hostile.name, Hostile.accented, Hostile.joined])
    func `A hostile name stays text`(name: String) throws {
        let page = try ShownPage(Self.lecture([Self.row(name, typed: name)], id: name))
        #expect(page.count("<script>") == 0)
        // Scalars, because a quotation mark with an accent is not equal to one without.
        let scalars = page.html.unicodeScalars
        let isOutside = zip(scalars, scalars.dropFirst()).contains { first, second in
            first == "\"" && (second == "\u{301}" || second == "\u{2060}")
        }
        #expect(!isOutside)
        #expect(!zip(scalars, scalars.dropFirst()).contains { $0 == "\u{600}" && $1 == "\"" })
    }

    @Test func `Text without signs of HTML stays as it is`() {
        for text in ["Zoë O’Neill", "e\u{301}", "\r\n", "👩‍👩‍👧", "a & b"] { #expect(text.renderText == text) }
    }

    @Test func `Damaged files are listed with file and line, and nothing else is shown`() throws {
        let page = try ShownPage(
            LecturesPage(
                ShownPage.frame("Attendance", .lecturer),
                trouble: AttendanceTrouble(
                    what: "The roster is damaged.", problems: ["roster.csv: line 7"], others: "Not listed: 2 more.",
                    remedy: "Correct the source data.")))
        for part in [
            "The roster is damaged.", "roster.csv: line 7", "Not listed: 2 more.", "Correct the source data.",
        ] {
            #expect(page.words.contains(part), "\(part)")
        }
        #expect(page.count("<table>") == 0)
        #expect(page.count("<h1>") == 1)
    }

    @Test func `Students are listed with percentages, and the course as a whole`() throws {
        let page = try ShownPage(Self.lectures())
        #expect(page.words.contains("Ann Other 4711 3 of 4 75 %"))
        #expect(page.words.contains("All students 3 of 4 75 %"))
    }

    @Test func `The attendance of a student names days, courses and status`() throws {
        let page = try ShownPage(Self.timeline())
        #expect(page.words.contains("Mon 2026-11-02 Absent Algorithms, 10:00 to 11:30 R1 Checked in at 10:01"))
    }
}
