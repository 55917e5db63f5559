import SignIn
import Testing

@Suite("The public address") struct PublicAddressTests {
    @Test(
        "An address has the origin that browsers send",
        arguments: [
            ("https://Beacons.Campus.example/", "https://beacons.campus.example"),
            ("https://campus.example:443", "https://campus.example"),
            ("https://campus.example:8443", "https://campus.example:8443"),
            ("http://127.0.0.1:8480", "http://127.0.0.1:8480"), ("http://localhost:80", "http://localhost"),
            ("http://[::1]:8480/", "http://[::1]:8480"), ("https://[2001:DB8::1]", "https://[2001:db8::1]"),
            ("https://192.0.2.1:443", "https://192.0.2.1"), ("https://campus.example.", "https://campus.example."),
            ("https://4.campus.example", "https://4.campus.example"),
        ])
    func origin(_ text: String, _ origin: String) { #expect(PublicAddress(text)?.origin == origin) }

    @Test(
        "Other texts are refused",
        arguments: [
            "", "campus.example", "ftp://campus.example", "http://campus.example", "http://192.0.2.1:80",
            "https://user@campus.example", "https://campus.example/path", "https://campus.example?x",
            "https://campus.example:0", "https://campus.example:65536", "https://campus.example:x", "https://",
            "https://campus example", "https://[::1", "https://[::1]x", "http://127.0.0.1.evil.example",
            "http://127.0.0.999", "https://campus.example#x", "https://a;b", "https://campus.example:",
            // Browsers write these in another form, or refuse them.
            "https://h:+443", "https://h:0443", "https://h:00", "https://[]", "https://[1::2::3]", "https://[::01]",
            "http://[0:0:0:0:0:0:0:1]:8480", "https://[::ffff:192.0.2.1]", "https://[::1%25eth0]",
            "http://127.0.0.01", "https://127.1", "https://192.0.2.1.", "https://1.2.3.4.5", "https://a.0x7f",
            "https://a..example", "https://.example", "https://.", "https://1",
        ])
    func refused(_ text: String) { #expect(PublicAddress(text) == nil) }

    @Test("Only over HTTPS do cookies have the prefix that ties them to the host") func cookies() throws {
        #expect(try #require(PublicAddress("https://a.example")).cookie == "__Host-beacon-session")
        #expect(try #require(PublicAddress("http://127.0.0.1:1")).cookie == "beacon-session")
    }

    @Test("A loopback address is one over HTTPS too") func loopback() throws {
        #expect(try #require(PublicAddress("https://localhost:1")).isLoopback)
        #expect(try #require(PublicAddress("http://[::1]:1")).isLoopback)
        #expect(try !#require(PublicAddress("https://127.example")).isLoopback)
    }
}
