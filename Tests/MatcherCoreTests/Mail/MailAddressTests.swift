import MatcherCore
import Testing

@Suite("Addresses of e-mails") struct MailAddressTests {
    @Test(
        "A plain address is taken",
        arguments: ["a@b.example", "first.last+tag@mail.campus.example", "o'neil@x-y.example", "A_1@B2.EXAMPLE"])
    func good(_ text: String) { #expect(MailAddress(text)?.description == text) }

    @Test(
        "Everything else is refused",
        arguments: [
            "", "@", "a@", "@b.example", "a@b", "a@b@c.example", "a b@c.example", "a@b.example\r\nBcc: x@y.example",
            "a@b.example\n", "\ta@b.example", "a@b.example,c@d.example", "<a@b.example>", "\"a\"@b.example",
            "a(x)@b.example", ".a@b.example", "a.@b.example", "a..b@c.example", "a@-b.example", "a@b-.example",
            "a@b..example", "a@[127.0.0.1]", "a@127.0.0.1", "ä@b.example", "a@bücher.example", "a@b.example\u{0}",
            "a@b.example\u{301}", "a@b_c.example",
        ])
    func bad(_ text: String) { #expect(MailAddress(text) == nil) }

    @Test("An address that is too long is refused") func long() {
        let label = String(repeating: "x", count: 63)
        let local = String(repeating: "a", count: 64)
        let domain = "\(label).\(label).\(String(repeating: "x", count: 57)).ex"
        #expect(MailAddress("\(local)@\(domain)") != nil)
        #expect(MailAddress("\(local)@x\(domain)") == nil)
        #expect(MailAddress("a\(local)@b.example") == nil)
        #expect(MailAddress("a@x\(label).example") == nil)
    }

    @Test("A mailbox is a name with an address, or an address alone") func mailbox() throws {
        let named = try #require(Mailbox("Health office <health@campus.example>"))
        #expect(named.name == "Health office" && named.address.description == "health@campus.example")
        #expect(named.address.domain == "campus.example" && named.shownName == "Health office")
        let plain = try #require(Mailbox("health@campus.example"))
        #expect(plain.name == "" && plain.shownName == "health@campus.example")
        for text in [
            "Health office", "Health <a@b.example", "a\" <a@b.example>", "a\r\nBcc: <a@b.example>",
            "Health <x> <a@b.example>", "Health <>", "a@b.example, c@d.example",
        ] { #expect(Mailbox(text) == nil, "\(text)") }
    }

    @Test(
        "A server has TLS, but on this machine",
        arguments: [
            ("smtps://mail.campus.example", MailServer.Security.tls), ("smtps://127.0.0.1:465", .tls),
            ("smtp://mail.campus.example:587", .startTLS), ("smtp://localhost:25", .none), ("smtp://[::1]:2525", .none),
            ("smtp://127.0.0.1.evil.example:25", .startTLS), ("smtps://MAIL.campus.example/", .tls),
        ] as [(String, MailServer.Security)])
    func server(_ text: String, _ security: MailServer.Security) { #expect(MailServer(text)?.security == security) }

    @Test(
        "Another address of a server is refused",
        arguments: [
            "mail.campus.example", "https://mail.campus.example", "smtp://", "smtps://user:pw@mail.example",
            "smtps://mail.example/path", "smtps://mail.example:0", "smtps://mail.example:x", "smtps://ma il.example",
            "smtps://[::1", "smtps://[x]", "smtps://a:1:2",
        ])
    func otherServer(_ text: String) { #expect(MailServer(text) == nil) }
}
