import Pages
import SignIn
import Testing

@Suite("The page of one's own status") struct MePageTests {
    private static func page(
        absence: MePage.Absence? = nil, status: MePage.Status?, device: String = "badge-1"
    ) -> MePage {
        MePage(
            ShownPage.frame("My status", .student), absence: absence, status: status,
            devices: status == nil
                ? [] : [.init(kind: "Badge", id: device, heard: "Your badge was last heard on Mon 2026-11-02.")],
            attendance: .init(
                span: "Lectures of the last 14 days.", nothing: nil,
                lectures: [
                    .init(
                        course: "Algorithms", when: "Mon 2026-11-02, 10:00 to 11:30",
                        status: StatusWord("Present", tone: "good"), remark: nil)
                ]), kept: [.init("Exposures", "14 days")])
    }

    private static let high = MePage.Status(
        symbol: "!!", word: StatusWord("High risk", tone: "bad"), sentence: "You were exposed.",
        since: "What is known about you last changed on Tue 2026-11-03.", advice: ["Stay at home."],
        days: ["Mon 2026-11-02"], span: "Exposures of the last 14 days count.",
        doubts: ["The times may be wrong."], rules: "Rules en-v2, version 1.")

    @Test func `The status is a word and a symbol, with what to do, days and doubts`() throws {
        let page = try ShownPage(Self.page(status: Self.high))
        for part in [
            "!! High risk You were exposed.", "last changed on Tue 2026-11-03.", "The times may be wrong.",
            "What to do Stay at home.", "Days with exposures Mon 2026-11-02", "Your badge was last heard",
            "Present Algorithms, Mon 2026-11-02, 10:00 to 11:30", "Exposures 14 days",
            "write to the person who runs this service",
        ] { #expect(page.words.contains(part), "\(part)") }
        #expect(page.count("<h1>") == 1)
        #expect(page.unlabelledFields.isEmpty)
        #expect(page.count(" style=") == 0)
    }

    @Test func `Nothing known is said to be so, and is no status`() throws {
        let absence = MePage.Absence(what: "Your account has no number.", remedy: "Ask for one.")
        let page = try ShownPage(Self.page(absence: absence, status: nil))
        #expect(page.words.contains("Your account has no number. Ask for one."))
        #expect(page.words.contains("No badge and no phone is known as yours."))
        for part in ["What to do", "Days with exposures"] { #expect(!page.words.contains(part), "\(part)") }
    }

    @Test func `A person's own page has no room for places and other people`() {
        // What has no stored property cannot be shown.
        let names = Mirror(reflecting: Self.high).children.compactMap(\.label)
        #expect(
            names == ["symbol", "word", "sentence", "since", "advice", "days", "span", "doubts", "rules"])
        let lecture = MePage.Lecture(course: "", when: "", status: StatusWord(""), remark: nil)
        #expect(Mirror(reflecting: lecture).children.compactMap(\.label) == ["course", "when", "status", "remark"])
    }

    @Test(arguments: [Hostile.name, Hostile.accented]) func `A hostile device stays text`(id: String) throws {
        let page = try ShownPage(Self.page(status: Self.high, device: id))
        #expect(page.count("<script>") == 0)
        #expect(page.count("alert(1)</script>") == 0)
    }
}
