import Pages
import SignIn
import Testing

@Suite("Pages of uploads") struct TimetablePageTests {
    private let values: OfficerPageValues

    init() throws { values = try OfficerPageValues() }

    private let review = UploadReview(
        file: "Timetable <script>", mistakes: ["Line 3: found \"<b>\"; must be a date."], others: "Not listed: 2 more.",
        facts: [.init("Lectures", "12")], notes: ["The room \"<i>\" is not known here."])

    private func timetable(_ uploads: [TimetablePage.Upload], trouble: AttendanceTrouble? = nil) -> TimetablePage {
        TimetablePage(
            values.frame("Timetable and roster"), trouble: trouble, reviews: [review],
            outcome: ("Nothing was saved, because of the mistakes below.", true), uploads: uploads,
            configured: "The configuration names a roster.", courses: "You can upload for all courses.",
            name: OfficerPageValues.hostile)
    }

    @Test("What comes from outside is escaped, and each field has a label") func frame() throws {
        let upload = TimetablePage.Upload(
            kind: "Timetable", name: OfficerPageValues.hostile, contents: "12 lectures", replaces: "1 event replaced.",
            by: OfficerPageValues.hostile, at: "Mon 2026-11-02 10:00",
            removal: .init(kind: "timetable", key: OfficerPageValues.hostile))
        let html = values.renderer.html(timetable([upload]))
        values.check(html)
        #expect(!html.contains("<b>") && !html.contains("<i>"))
        for part in [
            "enctype=\"multipart/form-data\"", "type=\"file\" name=\"timetable\"", "type=\"file\" name=\"roster\"",
            "Not listed: 2 more.", "Not accepted", "role=\"alert\">Nothing was saved",
            "name=\"kind\" value=\"timetable\"",
            "1 event replaced.",
        ] { #expect(html.contains(part), "\(part)") }
    }

    @Test("Who may not remove an upload gets no button") func removal() {
        let upload = TimetablePage.Upload(
            kind: "Roster", name: "A", contents: "1 student", by: "Olga", at: "Mon 2026-11-02 10:00")
        let html = values.renderer.html(timetable([upload]))
        #expect(!html.contains("action=\"/timetable/remove\""))
        #expect(values.renderer.html(timetable([])).contains("Nothing is uploaded."))
    }

    @Test("Who leaves a course is named, and the form asks whether that is known") func leaving() {
        func html(_ consent: String?) -> String {
            values.renderer.html(
                TimetablePage(
                    values.frame("Timetable and roster"),
                    reviews: [.init(file: "r", leaves: consent == nil ? [] : ["1 student <b> leaves."])], uploads: [],
                    configured: "", courses: "", consent: consent))
        }
        let asked = html("a1")
        values.check(asked)
        #expect(asked.contains("<li>1 student &lt;b&gt; leaves.</li>"))
        #expect(asked.contains("<input type=\"checkbox\" name=\"leaving\" value=\"a1\">"))
        #expect(!html(nil).contains("leaving") && !html(nil).contains("not shown any more"))
    }

    @Test("Files that cannot be read are named, beside what can be done") func trouble() {
        let html = values.renderer.html(
            timetable(
                [],
                trouble: AttendanceTrouble(what: "Damaged.", problems: ["r.csv: line 2"], others: nil, remedy: "Do.")))
        values.check(html)
        #expect(html.contains("r.csv: line 2") && html.contains("action=\"/timetable/upload\""))
    }

    @Test("A list of people is imported with a button, unless it has conflicts") func pending() {
        func html(hasConflicts: Bool, passesOn: Bool = false) -> String {
            values.renderer.html(
                PendingPeoplePage(
                    values.frame("Import a list of people"), until: "10:10", counts: [.init("New", "21")],
                    groups: [
                        .init(
                            heading: "New", meaning: passesOn ? "It passes <on>." : nil,
                            lines: [OfficerPageValues.hostile], more: "Not listed: 20 more.")
                    ],
                    hasConflicts: hasConflicts, passesOn: passesOn, keepsOthers: true, seen: "5ee9"))
        }
        values.check(html(hasConflicts: false))
        #expect(html(hasConflicts: false).contains("<button>Import</button>"))
        #expect(html(hasConflicts: false).contains("name=\"keep\" value=\"yes\""))
        #expect(html(hasConflicts: false).contains("name=\"seen\" value=\"5ee9\""))
        #expect(!html(hasConflicts: false).contains("passes-on"))
        let asked = html(hasConflicts: false, passesOn: true)
        values.check(asked)
        #expect(asked.contains("type=\"checkbox\" name=\"passes-on\" value=\"yes\""))
        #expect(asked.contains("<p>It passes &lt;on&gt;.</p>"))
        #expect(!html(hasConflicts: true).contains("<button>Import</button>"))
        #expect(html(hasConflicts: true).contains("cannot be imported"))
    }

    @Test("Mistakes of a list of people are shown where it is uploaded") func people() {
        let html = values.renderer.html(PeoplePage(values.frame("People"), query: "", summary: nil, reviews: [review]))
        values.check(html)
        #expect(html.contains("action=\"/people/upload\"") && html.contains("Not listed: 2 more."))
    }

    @Test("A form with files that was not sent says that they have to be chosen again") func confirm() {
        let html = values.renderer.html(
            ConfirmPage(
                values.frame("Session ended"), isSignedOut: true, path: "/timetable/upload",
                fields: [.init(name: "name", value: "Algorithms")], files: ["roster", "timetable"]))
        values.check(html)
        for part in [
            "Choose files again", "enctype=\"multipart/form-data\"", "type=\"file\" name=\"roster\"", ">Algorithms</",
        ] { #expect(html.contains(part), "\(part)") }
        let other = ConfirmPage(values.frame("Send again"), isSignedOut: false, path: "/x", fields: [])
        #expect(!values.renderer.html(other).contains("multipart"))
    }
}
