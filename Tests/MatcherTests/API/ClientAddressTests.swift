import HTTPServing
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import MatcherDaemon

@Suite("Whose budget a request takes") struct ClientAddressTests {
    private func client(_ connection: String, forwarded: String? = nil, isBehindProxy: Bool = false) -> String {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: "/v1/keys")
        if let forwarded, let name = HTTPField.Name("X-Forwarded-For") { head.headerFields[name] = forwarded }
        return ClientAddress.of(
            Request(head: head, body: .init(buffer: .init())), connection: connection, isBehindProxy: isBehindProxy)
    }

    @Test func `Of IPv4 it is the address`() {
        #expect(client("192.0.2.1") == "192.0.2.1")
        #expect(client("::ffff:192.0.2.1") == "192.0.2.1")
    }

    @Test func `Of IPv6 it is the network of 64 bits`() {
        #expect(client("2001:db8:0:1::1") == "20010db800000001::/64")
        #expect(client("2001:db8:0:1:a:b:c:d") == client("2001:db8:0:1::1"))
        #expect(client("2001:db8:0:2::1") != client("2001:db8:0:1::1"))
        #expect(client("fe80::1%eth0") == client("fe80::2%eth1"))
    }

    // With a port that changes with each connection, everybody would have a new budget each time.
    @Test(arguments: [
        ("192.0.2.7:4711", "192.0.2.7"), ("192.0.2.7:1", "192.0.2.7"), ("\"192.0.2.7:4711\"", "192.0.2.7"),
        ("[2001:db8::1]:443", "20010db800000000::/64"), ("[2001:db8::2]", "20010db800000000::/64"),
        ("\"[2001:db8::3]:9\"", "20010db800000000::/64"), ("2001:db8::4%eth0", "20010db800000000::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
    ])
    func `An address with a port is the address`(field: String, client: String) {
        #expect(self.client("127.0.0.1", forwarded: field, isBehindProxy: true) == client)
    }

    @Test(arguments: ["unknown", "_hidden", "192.0.2", "192.0.2.7.8", "[::1", "1:2:3", "a:1", "\"\"", "%", ":", "[]:1"])
    func `What is no address has no budget of its own`(field: String) {
        #expect(client("127.0.0.1", forwarded: field, isBehindProxy: true) == "127.0.0.1")
    }

    @Test func `Whoever connects to a Unix socket is local, and behind a proxy whom the proxy saw`() throws {
        #expect(ClientAddress.of(try SocketAddress(ipAddress: "192.0.2.1", port: 1)) == "192.0.2.1")
        let local = ClientAddress.of(try SocketAddress(unixDomainSocketPath: "/run/api.sock"))
        #expect(client(local, isBehindProxy: true) == "local")
        #expect(client(local, forwarded: "192.0.2.7") == "local")
        #expect(client(local, forwarded: "10.0.0.1, 192.0.2.7", isBehindProxy: true) == "192.0.2.7")
        #expect(ClientAddress.of(nil) == "unknown")
    }

    @Test func `Behind a proxy it is whom the proxy saw`() {
        #expect(client("127.0.0.1", forwarded: "10.0.0.1, 192.0.2.7", isBehindProxy: true) == "192.0.2.7")
        #expect(client("127.0.0.1", forwarded: "x, 2001:db8::1", isBehindProxy: true) == "20010db800000000::/64")
        #expect(client("127.0.0.1", forwarded: "192.0.2.7") == "127.0.0.1")
        #expect(client("127.0.0.1", forwarded: "", isBehindProxy: true) == "127.0.0.1")
    }
}
