import OperatorText
import Testing

@Suite struct IPv6TextTests {
    @Test(
        "Addresses are recognized in every form of RFC 4291",
        arguments: [
            "::", "::1", "1::", "fe80::1", "2001:db8:0:0:8:800:200c:417a", "2001:DB8::8:800:200C:417A",
            "::ffff:192.0.2.1",
            "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1:2:3:4:5:6:192.0.2.255",
        ])
    func addresses(text: String) { #expect(IPv6Text.isAddress(text)) }

    @Test(
        "Everything else is refused",
        arguments: [
            "", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::", "1:2:3:4:5:6:7:8::",
            "::1:2:3:4:5:6:7:8", "192.0.2.1", "::192.0.2.256", "::192.0.2", "::192.0.2.01", "::192.0.2.1:1", "1:", ":1",
            " ::1",
            "::1%eth0", "[::1]",
        ])
    func refusals(text: String) { #expect(!IPv6Text.isAddress(text)) }

    @Test(
        "An address has one form in which browsers write it",
        arguments: [
            ("::", "::"), ("::1", "::1"), ("0:0:0:0:0:0:0:1", "::1"), ("1::", "1::"), ("FE80::0001", "fe80::1"),
            ("2001:db8:0:0:8:0:0:1", "2001:db8::8:0:0:1"), ("1:0:2:0:0:3:4:5", "1:0:2::3:4:5"),
            ("1:2:3:0:5:6:7:8", "1:2:3:0:5:6:7:8"), ("1::3:4:5:6:7:8", "1:0:3:4:5:6:7:8"),
            ("::ffff:192.0.2.1", "::ffff:c000:201"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::1%eth0", nil),
        ] as [(String, String?)])
    func normal(text: String, expected: String?) { #expect(IPv6Text.normal(text) == expected) }
}
