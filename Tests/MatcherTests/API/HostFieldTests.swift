import Testing

@testable import MatcherDaemon

@Suite("The field Host") struct HostFieldTests {
    @Test(arguments: [
        "a", "localhost:8480", "campus.example", "CAMPUS.example.", "192.0.2.7", "192.0.2.7:1", "[::1]",
        "[2001:DB8::1]:443",
        "my_host-1", "a:", "[::ffff:192.0.2.7]:65535",
    ])
    func `A host, with a port or without, is one`(text: String) { #expect(HostField.isValid(text)) }

    @Test(arguments: [
        "", ":80", "a b", "a,b", "a/b", "a@b", "a:b", "a:1:2", "a:123456", "::1", "[::1", "::1]", "[]", "[1]", "[g::1]",
        "[::1]x", "[::1]:x", "http://a", "a?b", "a#b", "a\\b", "a%20b", "a\t", "é", "a\u{0}",
    ])
    func `Anything else is none`(text: String) { #expect(!HostField.isValid(text)) }

    @Test func `A host isn't longer than the DNS has them`() {
        #expect(HostField.isValid(String(repeating: "a", count: 253) + ":65535"))
        #expect(!HostField.isValid(String(repeating: "a", count: 261)))
    }
}
