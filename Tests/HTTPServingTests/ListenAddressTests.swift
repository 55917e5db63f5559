import Testing

@testable import HTTPServing

@Suite("Where a program listens") struct ListenAddressTests {
    @Test func `It is an address with a port`() {
        #expect(ListenAddress("127.0.0.1:8480") == .host("127.0.0.1", port: 8480))
        #expect(ListenAddress("[::1]:0") == .host("::1", port: 0))
    }

    @Test func `It is the path of a Unix socket`() {
        #expect(ListenAddress("unix:/run/beacon-matcher/api.sock") == .socket(path: "/run/beacon-matcher/api.sock"))
        #expect(ListenAddress("unix:/run/beacon-matcher/api.sock")?.text == "unix:/run/beacon-matcher/api.sock")
        #expect(ListenAddress("unix:/" + String(repeating: "a", count: 102)) != nil)
    }

    // A path that begins at the working directory, a directory, and one that is too long.
    @Test(arguments: [
        "", "8480", ":8480", "::1:8480", "host:", "host:65536", "a b:1", "unix:", "unix:api.sock", "unix:/",
        "unix:/run/", "unix:/a\nb", "unix:/" + String(repeating: "a", count: 103),
    ])
    func `Anything else is refused`(text: String) {
        #expect(ListenAddress(text) == nil)
    }
}
