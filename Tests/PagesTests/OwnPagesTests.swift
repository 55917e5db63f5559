import Pages
import SignIn
import Testing

@Suite("A person's own pages") struct OwnPagesTests {
    private func questionnaire(
        result: QuestionnairePage.Result? = nil, mistake: String? = nil, obstacle: String? = nil
    ) -> QuestionnairePage {
        QuestionnairePage(
            ShownPage.frame("Questionnaire", .student), obstacle: obstacle, mistake: mistake, result: result,
            questions: [
                .init(
                    name: "contact", text: "Were you near somebody?",
                    choices: [.init("yes", "Yes", isChosen: false), .init("no", "No", isChosen: true)]),
                .init(name: "fever", text: Hostile.name, choices: [.init("none", "No", isChosen: true)]),
            ],
            history: [.init(day: "Mon 2026-11-02", word: StatusWord("Low risk"))], kept: "They are deleted.")
    }

    @Test func `The questionnaire has each question as a group, and says who sees the answers`() throws {
        let page = try ShownPage(questionnaire())
        #expect(page.count("<fieldset>") == 2 && page.count("<legend>") == 2)
        #expect(page.count(" checked>") == 2)
        #expect(page.html.contains("name=\"contact\" value=\"no\" required checked>"))
        #expect(page.words.contains("Only you see your answers."))
        #expect(page.words.contains("Mon 2026-11-02 Low risk"))
        #expect(page.unlabelledFields.isEmpty && page.count("<h1>") == 1 && page.count("<script>") == 0)
    }

    @Test func `A level comes with its reasons and what to do`() throws {
        let page = try ShownPage(
            questionnaire(
                result: .init(
                    day: "Mon 2026-11-02", symbol: "!!", word: StatusWord("High risk", tone: "bad"),
                    reasons: ["You have fever."], advice: ["Stay at home."]), mistake: "An answer is missing."))
        for part in [
            "Your answers from Mon 2026-11-02", "!! High risk", "You have fever.", "What to do Stay at home.",
            "An answer is missing.",
        ] { #expect(page.words.contains(part), "\(part)") }
        let without = try ShownPage(questionnaire(obstacle: "Your account has no number."))
        #expect(without.count("<form class=\"stack\"") == 0 && without.words.contains("Your account has no number."))
    }

    @Test func `The room of a link is in the form, as text`() throws {
        let page = try ShownPage(
            CheckInPage(
                ShownPage.frame("Check-in", .student), room: Hostile.accented,
                answer: .init("No lecture now", sentence: "None runs in \(Hostile.name).", remedy: "Check the room."),
                rule: "From 15 minutes before.", signed: ["Physics, HB 2.11, checked in at 10:00"]))
        #expect(page.words.contains("No lecture now. None runs in"))
        #expect(page.words.contains("Physics, HB 2.11, checked in at 10:00"))
        #expect(page.count("<script>") == 0 && page.count("\" autofocus") == 0)
        #expect(page.unlabelledFields.isEmpty && page.count("action=\"/check-in/sign\"") == 1)
        let closed = try ShownPage(CheckInPage(ShownPage.frame("Check-in", .student), obstacle: "Not kept here."))
        #expect(closed.count("action=\"/check-in/sign\"") == 0 && closed.words.contains("Not kept here."))
    }

    @Test func `What is kept is a table, and the number has to be typed`() throws {
        var content = MyDataPage(
            ShownPage.frame("My data", .student), number: "s<1>", devices: [.init(kind: "Badge", id: Hostile.name)],
            held: [.init("Exposures", "2 exposures", "14 days")], left: ["Backups."], mistake: "This is not it.",
            canErase: true)
        let page = try ShownPage(content)
        for part in ["Exposures 2 exposures 14 days", "Backups.", "This is not it."] {
            #expect(page.words.contains(part), "\(part)")
        }
        #expect(page.html.contains("Type your number s&lt;1&gt; to confirm"))
        #expect(page.nakedTables == 0 && page.unlabelledFields.isEmpty && page.count("<script>") == 0)
        content.canErase = false
        #expect(try ShownPage(content).count("/my-data/erase") == 0)
    }

    @Test func `Whoever is not signed in reads what is kept and who sees it`() throws {
        let page = try ShownPage(
            AboutPage(
                Frame("About"), heard: ["Badges."], kept: [.init("Exposures", "14 days")],
                readers: [.init("Lecturers", "Attendance.")], sender: nil))
        for part in ["Badges.", "Exposures 14 days", "Lecturers Attendance.", "the person who runs this service"] {
            #expect(page.words.contains(part), "\(part)")
        }
        #expect(page.count("<nav") == 0)
        // Each page leads there.
        #expect(page.count("href=\"/about\"") == 1)
    }

    @Test func `The status has a stream of news only where there can be any`() throws {
        var content = MePage(
            ShownPage.frame("My status", .student), absence: nil, status: nil, devices: [], attendance: nil, kept: [])
        let without = try ShownPage(content)
        #expect(without.count("data-news") == 0 && without.count(PageAsset.me.path) == 0)
        content.news = "/me/events?since=7"
        content.questionnaire = .init("Answer it today.", isDue: true)
        content.canCheckIn = true
        let page = try ShownPage(content)
        #expect(page.html.contains("data-news=\"/me/events?since=7\""))
        #expect(page.count("src=\"\(PageAsset.me.path)\"") == 1 && page.count("aria-live=\"polite\"") == 1)
        #expect(page.words.contains("Answer it today.") && page.count("href=\"/check-in\"") == 1)
    }

    @Test func `The manifest names icons for any shape, and where the application begins`() {
        let manifest = WebApp.manifest
        for part in [
            "\"start_url\": \"/me\"", "\"display\": \"standalone\"", "\"purpose\": \"maskable\"",
            PageAsset.icon.path, PageAsset.maskableIcon.path, "image/svg+xml",
        ] { #expect(manifest.contains(part), "\(part)") }
    }

    @Test func `The service worker keeps files and the page without a network, and nothing of a person`() throws {
        let list = try #require(WebApp.worker.split(separator: "\n").first { $0.hasPrefix("const files") })
        for asset in [PageAsset.style, .page, .icon] { #expect(list.contains(asset.path)) }
        for route in [PageRoute.me, .questionnaire, .myData, .checkIn] {
            #expect(!list.contains("\"\(route.path)"), "\(route)")
        }
        #expect(WebApp.worker.hasPrefix("const offline = \"/offline\";\n"))
        // What is asked for is asked for without a session, and only what is asked for there is kept.
        #expect(WebApp.worker.contains("credentials: \"omit\""))
        #expect(!WebApp.worker.contains(".put("))
    }
}
