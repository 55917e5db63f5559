import SignIn
import Testing

@Suite("Paths to which a browser returns") struct ReturnPathTests {
    @Test("A path of the page stays", arguments: ["/", "/overview", "/person?number=1&x=%2F", "/floors/a/b/c"])
    func own(_ path: String) { #expect(ReturnPath.of(path) == path) }

    @Test(
        "A path that leads elsewhere is not followed",
        arguments: [
            "//evil.example", "https://evil.example", "/\\evil.example", "/a\\b", "\\\\evil.example", "evil.example",
            "javascript:alert(1)", "/\tevil", "/a\r\nSet-Cookie: x=1", "", " /", "/\u{e4}",
        ])
    func foreign(_ path: String) { #expect(ReturnPath.of(path) == "/") }

    @Test("A missing path is the first page") func missing() { #expect(ReturnPath.of(nil) == "/") }

    @Test("A path that is too long is not followed") func long() {
        #expect(ReturnPath.of("/" + String(repeating: "a", count: 1024)) == "/")
    }
}
