import Testing

@testable import SignIn

@Suite("Addresses of identity providers") struct EndpointTests {
    @Test(arguments: [
        "https://login.example", "https://login.example:8443/a/b?c=d", "HTTPS://Login.Example/%20",
        "https://[2001:db8::1]/",
        "http://localhost:9000/x", "http://127.0.0.1:9000", "http://127.8.9.10/", "http://[::1]:9000/",
    ])
    func `HTTPS is accepted, and HTTP on loopback`(text: String) {
        #expect(Endpoint(text)?.text == text)
    }

    @Test(arguments: [
        "", "login.example", "ftp://login.example", "https://", "https:///x", "https://?x", "https://:443/",
        "http://login.example", "http://127.0.0.1.login.example/", "http://localhost.login.example/",
        "http://localhost@login.example/", "http://127.0.0.1:80@login.example/", "http://[2001:db8::1]/",
        "https://user:password@login.example/", "https://login.example/#fragment",
        "https://login.example\\@else.example/",
        "https://login.example/a b", "https://login.example/\n", "https://login.exämple/", "https://login.example:0/",
        "https://login.example:65536/", "https://login.example:+80/", "https://login.example:/", "https://[::1/",
        "https://[::1]x/", "https://[x]/", "javascript:alert(1)", "https://login%2eexample/",
    ])
    func `Other addresses are refused`(text: String) {
        #expect(Endpoint(text) == nil)
    }

    @Test func `An address that is too long is refused`() {
        #expect(Endpoint("https://login.example/" + String(repeating: "x", count: 2048)) == nil)
    }

    @Test func `An issuer has no query`() {
        #expect(Endpoint("https://login.example/a")?.isIssuer == true)
        #expect(Endpoint("https://login.example/a?b")?.isIssuer == false)
    }
}
