import BeaconModel
import RecordContract
import Testing

@testable import Diagnostics

/// What is said of the worked example.
@Suite("Evaluation reports") struct EvaluateReportTests {
    @Test("The text is the one that is expected, and has colours for a terminal only")
    func text() throws {
        let result = try EvaluateFixture.result()
        let text = EvaluationText(result: result).lines.joined(separator: "\n") + "\n"
        #expect(text == (try EvaluateFixture.golden("phones.txt", text)))
        #expect(!text.contains("\u{1B}"))
        let coloured = EvaluationText(result: result, isColoured: true).lines.joined(separator: "\n") + "\n"
        #expect(coloured.contains("\u{1B}[1;31mNO\u{1B}[0m"))
        let plain = coloured.replacing("\u{1B}[0m", with: "").replacing("\u{1B}[1;31m", with: "")
            .replacing("\u{1B}[32m", with: "").replacing("\u{1B}[33m", with: "")
        #expect(plain == text)
    }

    @Test("The HTML is the one that is expected")
    func html() throws {
        let html = EvaluationHTML(result: try EvaluateFixture.result()).text
        #expect(html == (try EvaluateFixture.golden("phones.html", html)))
    }

    @Test("The HTML takes nothing from elsewhere, and its elements close in the order in which they were opened")
    func selfContained() throws {
        let html = EvaluationHTML(result: try EvaluateFixture.result()).text
        for word in ["http:", "https:", "src=", "href=", "url(", "@import", "<script", "<link", "<img"] {
            #expect(!html.contains(word), "\(word)")
        }
        let empty: Set<Substring> = ["meta", "rect", "!DOCTYPE"]
        var open: [Substring] = []
        for part in html.split(separator: "<").dropFirst(html.hasPrefix("<") ? 0 : 1) {
            let name = part.prefix { $0 != ">" && $0 != " " && $0 != "/" || $0 == "/" && part.first == "/" }
            if part.hasPrefix("/") {
                #expect(open.popLast() == name.dropFirst())
            } else if !empty.contains(name) {
                open.append(name)
            }
        }
        #expect(open.isEmpty)
    }

    @Test("Names and states can't become elements or attributes of the HTML")
    func escaping() throws {
        let evil = "\"><script>alert('&')</script>"
        var schedule = try EvaluateFixture.schedule()
        schedule.receiver = evil
        schedule.receiverState = evil
        schedule.devices[0].name = evil
        schedule.devices[0].phases[0].state = evil
        var evaluation = Evaluation(schedule)
        evaluation.listen(at: EvaluateFixture.begin)
        evaluation.listen(at: EvaluateFixture.begin + .seconds(400))
        let html = EvaluationHTML(result: evaluation.result()).text
        #expect(!html.contains("<script"))
        #expect(!html.contains("alert('"))
        let escaped = "&quot;&gt;&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;"
        // The title, the head, the matrix twice, ...
        #expect(html.components(of: escaped) > 6)
    }

    private struct Document: Decodable {
        struct Receiver: Decodable { var name: String, state: String }
        struct Marks: Decodable { var discovery: String, tracking: String, resume: String }
        struct State: Decodable { var state: String, marks: Marks }
        struct Phase: Decodable { var arrival: String, timeToFirst: Double?, windowsHeard: Int, inRange: String }
        struct Leak: Decodable { var readings: Int, strongestRSSI: Int? }
        struct Device: Decodable { var name: String, phases: [Phase], leaks: [Leak], neverHeard: [String] }
        var receiver: Receiver
        var holds: Bool
        var states: [State]
        var devices: [Device]
    }

    @Test("The JSON is one line with the same")
    func json() throws {
        let bytes = EvaluationDocument(try EvaluateFixture.result()).line
        #expect(!bytes.contains(UInt8(ascii: "\n")))
        let document = try JSON.decode(Document.self, from: bytes)
        #expect(document.receiver.name == "gw-3a" && document.receiver.state == "scanning")
        #expect(!document.holds)
        #expect(document.states.map(\.marks.resume) == ["fails", "not-tested", "not-tested"])
        #expect(document.devices[0].phases.map(\.timeToFirst) == [2, 70, 5])
        #expect(document.devices[0].phases[2].inRange == "2020-11-15T12:05:00.000Z")
        #expect(document.devices[0].leaks.map(\.strongestRSSI) == [-90])
        #expect(document.devices[1].neverHeard == ["C0:11:22:33:44:99"])
    }
}

extension String {
    /// How often another text is in it.
    fileprivate func components(of other: String) -> Int { ranges(of: other).count }
}
