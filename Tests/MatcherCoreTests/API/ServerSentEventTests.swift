import Testing

@testable import MatcherCore

@Suite("Events of streams") struct ServerSentEventTests {
    private struct Content: Encodable {
        var text: String
    }

    @Test("An event has a name, an id if it is given, and one line of data") func form() {
        #expect(ServerSentEvent.text("left", data: "{}") == "event: left\ndata: {}\n\n")
        #expect(ServerSentEvent.text("news", id: 7, data: "{}") == "event: news\nid: 7\ndata: {}\n\n")
    }

    @Test("A line break in the content does not end the data") func lineBreak() {
        let event = ServerSentEvent.text("names", Content(text: "a\n\ndata: b"))
        #expect(event == "event: names\ndata: {\"text\":\"a\\n\\ndata: b\"}\n\n")
    }
}
