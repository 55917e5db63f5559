import Pages
import SignIn
import Testing

@Suite("Steps of a self-report") struct SelfReportPageTests {
    private func page(_ set: (inout SelfReportPage) -> Void) throws -> ShownPage {
        var content = SelfReportPage(Frame("Report a positive test"), progress: "Step 2 of 4")
        set(&content)
        return try ShownPage(content)
    }

    private static let typed = SelfReportPage.Form(
        test: "2026-11-01", name: Hostile.name, number: Hostile.joined, contact: Hostile.accented)

    private func details(
        _ form: SelfReportPage.Form = Self.typed, ownName: String? = nil, asksSample: Bool = true
    ) throws -> ShownPage {
        try page {
            $0.details = .init(
                form, suggestion: "We read: positive.", asksSample: asksSample, ownName: ownName,
                latest: "2026-11-02", backPath: "/back")
        }
    }

    @Test func `The first step offers a code and, where one can be read, a picture`() throws {
        let both = try page {
            $0.start = .init(codePath: "/c", picturePath: "/p", uses: ["It is deleted."], office: Hostile.name)
        }
        #expect(both.count("href=\"/c\"") == 1 && both.count("href=\"/p\"") == 1)
        #expect(both.words.contains("It is deleted.") && both.words.contains("no code and no picture, ask"))
        #expect(both.count("<form") == 0 && both.count("<script>") == 0 && both.count("<h1>") == 1)
        let code = try page { $0.start = .init(codePath: "/c", picturePath: nil, uses: [], office: nil) }
        #expect(!code.html.contains("picture") && code.words.contains("the health office of your institution"))
    }

    @Test func `Whoever is signed in is not told that no account is needed`() throws {
        let start = SelfReportPage.Start(codePath: "/c", picturePath: nil, uses: [], office: nil)
        let stranger = try page { $0.start = start }
        #expect(stranger.words.contains("in four steps, without an account."))
        var own = SelfReportPage(ShownPage.frame("Report a positive test", .student), progress: "Step 1 of 4")
        own.start = start
        let shown = try ShownPage(own)
        #expect(shown.words.contains("in four steps.") && !shown.words.contains("without an account"))
    }

    @Test func `A step has one form, without scripts`() throws {
        let steps = [
            try page { $0.codeStep = .init(TypedField(Hostile.accented, mistake: "This is not a code.")) },
            try page { $0.pictureStep = .init(mistake: "The file is a PDF document.") },
            try details(),
            try page {
                $0.review = .init(facts: [.init("Name", Hostile.name)], consequence: "It is sent.", version: "v")
            },
        ]
        for page in steps {
            #expect(page.count("<form") == 1)
            #expect(page.count("<script>") == 0 && page.count("\" autofocus") == 0 && page.unlabelledFields.isEmpty)
            #expect(page.words.contains("Step 2 of 4"))
        }
        #expect(steps[0].html.contains("id=\"code-mistake\">This is not a code."))
        #expect(steps[1].html.contains("enctype=\"multipart/form-data\""))
        #expect(steps[1].html.contains("id=\"picture-mistake\">The file is a PDF document."))
        #expect(steps[2].count("href=\"/back\"") == 1)
        #expect(steps[3].count("href=\"/self-report?step=details\"") == 1)
        #expect(steps[3].count("name=\"version\" value=\"v\"") == 1)
    }

    @Test func `Mistakes of the details stand beside their fields`() throws {
        var form = Self.typed
        form.test.mistake = "a"
        form.onset.mistake = "b"
        form.order.mistake = "c"
        form.name.mistake = "d"
        form.number.mistake = "e"
        form.contact.mistake = "f"
        let page = try details(form)
        for (field, mistake) in ["test": "a", "onset": "b", "order": "c", "name": "d", "number": "e", "contact": "f"] {
            #expect(page.html.contains("id=\"\(field)-mistake\">\(mistake)</span>"))
            #expect(page.count("aria-describedby=\"\(field)-mistake\"") == 1)
        }
        #expect(try details().count("-mistake") == 0)
    }

    @Test func `A form has mistakes if one of its fields has one`() {
        #expect(!Self.typed.hasMistakes)
        let fields: [WritableKeyPath<SelfReportPage.Form, TypedField>] = [
            \.test, \.onset, \.order, \.name, \.number, \.contact,
        ]
        for field in fields {
            var form = Self.typed
            form[keyPath: field].mistake = "a"
            #expect(form.hasMistakes)
        }
    }

    @Test func `Whoever is signed in types no name, and a code has the day of the sample`() throws {
        let own = try details(ownName: "Ann (s1)", asksSample: false)
        #expect(own.words.contains("You report as Ann (s1)."))
        #expect(own.count("name=\"name\"") == 0 && own.count("name=\"number\"") == 0)
        #expect(own.count("name=\"test\"") == 0 && own.count("name=\"onset\"") == 1)
        #expect(own.words.contains("The day of your test is known from the code."))
    }
}
