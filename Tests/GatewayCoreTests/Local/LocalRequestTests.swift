import GatewayCore
import Testing

@Suite("What is asked at the local socket") struct LocalRequestTests {
    private func read(_ method: String, _ path: String, _ body: String = "") throws(LocalRefusal) -> LocalRequest {
        try LocalRequest(method: method, path: path, body: Array(body.utf8))
    }

    @Test(
        "A request is read as it was written",
        arguments: [
            .status, .identify("door"), .reset("hall 2/ä"), .reload, .logLevel, .setLogLevel("debug"),
        ] as [LocalRequest])
    func roundTrip(request: LocalRequest) throws {
        #expect(try LocalRequest(method: request.method, path: request.path, body: request.body ?? []) == request)
    }

    @Test(
        "There is nothing at other paths",
        arguments: [
            "", "/", "/v1", "/v1/", "/v1/status/", "//v1/status", "/v2/status", "/v1/modules", "/v1/modules/door",
            "/v1/modules//identify", "/v1/modules/door/provision", "/v1/modules/%/identify", "/v1/modules/a/b/identify",
        ])
    func nothing(path: String) {
        #expect(throws: LocalRefusal.notFound) { try read("POST", path) }
    }

    @Test("Another method than that of the path is refused, and the right one is named")
    func methods() {
        #expect(throws: LocalRefusal.wrongMethod(["GET"])) { try read("POST", "/v1/status") }
        #expect(throws: LocalRefusal.wrongMethod(["POST"])) { try read("GET", "/v1/reload") }
        #expect(throws: LocalRefusal.wrongMethod(["POST"])) { try read("GET", "/v1/modules/door/reset") }
        #expect(throws: LocalRefusal.wrongMethod(["GET", "PUT"])) { try read("POST", "/v1/log-level") }
    }

    @Test("A log level is an object with a text", arguments: ["", "debug", "[]", #"{"level":1}"#, "{", "\u{0}"])
    func bodies(body: String) {
        #expect(throws: LocalRefusal.body) { try read("PUT", "/v1/log-level", body) }
    }

    @Test("A configuration with many problems is answered with a hundred, and how many more there are")
    func problems() {
        let answer = LocalRefusal.configuration((1...250).map { "line \($0)" }).answer
        #expect(answer.problems?.count == 101)
        #expect(answer.problems?.last == "and 150 more")
    }
}
