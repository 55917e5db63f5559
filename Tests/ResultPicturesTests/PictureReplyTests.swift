import Testing

@testable import ResultPictures

@Suite("Replies about pictures") struct PictureReplyTests {
    private let latest: Int64 = 20_800

    private func reason(_ text: String) -> String? { reason(Array(text.utf8)) }

    private func reason(_ bytes: [UInt8]) -> String? {
        do throws(PictureReplyError) {
            _ = try PictureReply.parse(bytes, latest: latest)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        "What a worker found arrives as it was",
        arguments: [
            PictureFindings(codes: [], suggestion: ResultSuggestion(), isIncomplete: true),
            PictureFindings(
                codes: ["https://lab.example/x", "a\u{0}\u{1B}[31m\"\\\r", "\u{FFFD}é/"],
                suggestion: ResultSuggestion(
                    outcome: .positive, testDay: 20_758, orderNumber: OrderNumber("LC1-VLN/F6K")),
                isIncomplete: false),
            PictureFindings(
                codes: [], suggestion: ResultSuggestion(outcome: .unclear, testDay: 20_800), isIncomplete: false),
        ])
    func whole(findings: PictureFindings) throws {
        #expect(try PictureReply.parse(PictureReply.encode(findings), latest: 20_800) == findings)
    }

    @Test("The longest findings fit into a reply") func longest() throws {
        let output = Array([[UInt8]](repeating: [UInt8](repeating: 1, count: 4096), count: 9).joined(separator: [10]))
        let findings = PictureFindings(
            codes: PictureCode.contents(output), suggestion: ResultSuggestion(), isIncomplete: false)
        let reply = PictureReply.encode(findings)
        #expect(findings.codes.count == 8 && reply.count <= PictureReply.longest)
        #expect(try PictureReply.parse(reply, latest: latest) == findings)
    }

    @Test(
        "A hostile reply is refused as a whole",
        arguments: [
            ("", "empty"), ("[]", "not the JSON"), ("{}", "not the JSON"), ("{\"codes\":[]}", "not the JSON"),
            ("{\"codes\":[],\"isIncomplete\":false", "not the JSON"),
            ("{\"codes\":[],\"isIncomplete\":false}{}", "not the JSON"),
            ("{\"codes\":[],\"isIncomplete\":0}", "not the JSON"),
            ("{\"codes\":[1],\"isIncomplete\":false}", "not the JSON"),
            ("{\"codes\":[],\"isIncomplete\":false,\"html\":\"<b>\"}", "not the JSON"),
            ("{\"codes\":[],\"isIncomplete\":false,\"testDay\":1e99}", "not the JSON"),
            ("{\"codes\":[],\"isIncomplete\":false,\"result\":[\"positive\"]}", "not the JSON"),
            ("{\"codes\":[],\"isIncomplete\":false,\"result\":\"POSITIVE\"}", "result"),
            ("{\"codes\":[],\"isIncomplete\":false,\"testDay\":20801}", "day"),
            ("{\"codes\":[],\"isIncomplete\":false,\"testDay\":-1}", "day"),
            ("{\"codes\":[],\"isIncomplete\":false,\"orderNumber\":\"<script>1\"}", "order number"),
            ("{\"codes\":[],\"isIncomplete\":false,\"orderNumber\":\"1\"}", "order number"),
            ("{\"codes\":[],\"isIncomplete\":false,\"orderNumber\":\"QX  7734\"}", "order number"),
            ("{\"codes\":[\"\"],\"isIncomplete\":false}", "code"),
            ("{\"codes\":[\"a\\nb\"],\"isIncomplete\":false}", "code"),
            (
                "{\"codes\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"],\"isIncomplete\":false}",
                "9 codes"
            ),
        ])
    func hostile(text: String, expected: String) {
        #expect(reason(text)?.contains(expected) == true, "\(reason(text) ?? "accepted")")
    }

    @Test("A reply that is too long, deeply nested or no text is refused") func malformed() {
        #expect(reason([UInt8](repeating: 0x20, count: PictureReply.longest + 1))?.contains("more than") == true)
        #expect(reason(String(repeating: "[", count: 100_000)) != nil)
        #expect(reason([0xFF, 0xFE, 0]) != nil)
        let long = String(repeating: "x", count: 3 * 4096 + 1)
        #expect(reason("{\"codes\":[\"\(long)\"],\"isIncomplete\":false}")?.contains("code") == true)
    }

    @Test("The header of a picture says its length and the latest day") func request() throws {
        let request = try #require(PictureRequest(byteCount: 0x0001_0203, latest: 20_758))
        #expect(request.bytes == [0, 1, 2, 3, 0, 0, 0x51, 0x16])
        #expect(PictureRequest(request.bytes) == request)
    }

    @Test(
        "A header of an empty or too long picture, or of an impossible day, is none",
        arguments: [
            [], [0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 1], [0, 0x98, 0x96, 0x81, 0, 0, 0, 1],
            [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 1], [0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF],
            [0, 0, 0, 1, 0, 0, 0, 1, 0],
        ] as [[UInt8]])
    func noRequest(bytes: [UInt8]) {
        #expect(PictureRequest(bytes) == nil)
    }
}
