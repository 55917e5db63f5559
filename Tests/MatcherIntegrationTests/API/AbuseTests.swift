import Glibc
import HTTPTypes
import InteractionStore
import Matching
import SystemIO
import TestSupport
import TestValues
import Testing

@Suite("Abuse of the API") struct AbuseTests {
    /// Sends bytes and returns what comes back, until the server closes or has answered.
    private static func exchange(_ port: Int, _ bytes: [UInt8], patience: Int32 = 5000) throws -> String {
        let descriptor = try LoopbackSocket.connect(to: UInt16(port))
        defer { close(descriptor) }
        var sent = 0
        var received: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while true {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if sent < bytes.count { entry.events |= Int16(POLLOUT) }
            guard poll(&entry, 1, patience) > 0 else { return String(decoding: received, as: UTF8.self) }
            if entry.revents & Int16(POLLIN) != 0 {
                let count = read(descriptor, &part, part.count)
                if count <= 0 { return String(decoding: received, as: UTF8.self) }
                received += part[..<count]
                if sent == bytes.count { return String(decoding: received, as: UTF8.self) }
            } else if entry.revents & Int16(POLLOUT) != 0 {
                let count = bytes[sent...].withUnsafeBytes {
                    send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                if count <= 0 { return String(decoding: received, as: UTF8.self) }
                sent += count
            } else {
                return String(decoding: received, as: UTF8.self)
            }
        }
    }

    private static func status(_ answer: String) -> Int? {
        answer.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }

    private static let raw: [(name: String, bytes: String, statuses: Set<Int?>)] = [
        ("no HTTP", "\u{16}\u{3}\u{1}\0\0\0", [400, nil]),
        ("a header without end", "GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 200_000), [431, 400, nil]),
        (
            "very many headers",
            "GET / HTTP/1.1\r\n" + (0..<5000).map { "X-\($0): a\r\n" }.joined() + "\r\n", [431, 400, nil]
        ),
        (
            "a length that isn't a number",
            "POST /v1/reports HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", [400, nil]
        ),
        (
            "a length beyond all",
            "POST /v1/reports HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99999999999999\r\n\r\n",
            [413]
        ),
        (
            "length and chunks at once",
            "POST /v1/reports HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            [400, 415, nil]
        ),
        (
            "a path without end", "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1\r\n\r\n",
            [404, 414, 431, 400, nil]
        ),
        ("an absolute target", "GET http://evil/v1/keys HTTP/1.1\r\nHost: a\r\n\r\n", [200, 400, 404]),
        ("a method of its own", "BREW /v1/keys HTTP/1.1\r\nHost: a\r\n\r\n", [400, 405, 501, nil]),
    ]

    @Test func `Whatever is sent, the server answers the next who asks`() async throws {
        try await TestAPI.with { api in
            for (name, bytes, statuses) in Self.raw {
                let answer = try await DedicatedThread.run(name: "abuse") {
                    Result { try Self.exchange(api.port, Array(bytes.utf8)) }
                }.get()
                #expect(statuses.contains(Self.status(answer)), "\(name): \(answer.prefix(100))")
                let next = try await api.get("/v1/keys")
                #expect(next.status == 200, "after \(name)")
            }
        }
    }

    @Test func `A body in chunks that goes on and on is refused`() async throws {
        try await TestAPI.with { api in
            let chunk = "10000\r\n" + String(repeating: "[", count: 65_536) + "\r\n"
            let bytes =
                "POST /v1/reports HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                + String(repeating: chunk, count: 64)
            let answer = try await DedicatedThread.run(name: "abuse") {
                Result { try Self.exchange(api.port, Array(bytes.utf8)) }
            }.get()
            #expect([413, nil].contains(Self.status(answer)), "\(answer.prefix(100))")
            #expect(try api.reports() == 0)
        }
    }

    @Test func `Who sends a byte now and then doesn't keep the connection`() async throws {
        try await TestAPI.with(bodyPatience: .milliseconds(300)) { api in
            let text = try await DedicatedThread.run(name: "abuse") {
                Result { () throws -> String in
                    let descriptor = try LoopbackSocket.connect(to: UInt16(api.port))
                    defer { close(descriptor) }
                    var received: [UInt8] = []
                    var part = [UInt8](repeating: 0, count: 4096)
                    var rest = Array(
                        "POST /v1/reports HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 200000\r\n\r\n"
                            .utf8)
                    // A byte each 10 ms, until the server closes; the whole body would take half an hour.
                    while true {
                        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                        if poll(&entry, 1, 10) > 0 {
                            let count = read(descriptor, &part, part.count)
                            if count <= 0 { return String(decoding: received, as: UTF8.self) }
                            received += part[..<count]
                        }
                        if rest.isEmpty { rest = [UInt8(ascii: "x")] }
                        let count = send(descriptor, rest, rest.count, CInt(MSG_NOSIGNAL))
                        if count > 0 { rest.removeFirst(count) }
                    }
                }
            }.get()
            #expect(text.isEmpty || Self.status(text) == 408, "\(text)")
        }
    }

    @Test(
        arguments: [
            ("", 400), ("null", 400), ("[]", 400), ("{}", 400), ("{\"subjects\":{}}", 400),
            ("{\"subjects\":[1]}", 400), ("{\"subjects\":[]}", 422), ("\u{FEFF}{}", 400), ("{\"subjects\":[", 400),
            ("{\"subjects\":[{\"kind\":\"phone\",\"id\":\"\\u0000\",\"secret\":\"\"}]}", 422),
            ("{\"subjects\":[{\"kind\":\"phone\",\"id\":\"a\",\"secret\":\"\"}]}", 403),
            ("{\"subjects\":[{\"kind\":\"gateway\",\"id\":\"a\",\"secret\":\"\"}]}", 422),
        ])
    func `A body that is no report is refused with a reason`(body: String, status: Int) async throws {
        try await TestAPI.with { api in
            let answer = try await api.post("/v1/reports", body)
            #expect(answer.status == status, "\(answer.text)")
            #expect(answer.headers["content-type"] == "application/problem+json")
            #expect(try api.reports() == 0)
        }
    }

    @Test func `Nesting without end is no crash`() async throws {
        try await TestAPI.with { api in
            let deep = String(repeating: "[", count: 200_000)
            for body in [deep, "{\"subjects\":\(deep)", String(repeating: "{\"a\":", count: 100_000)] {
                let answer = try await api.post("/v1/reports", body)
                #expect(answer.status == 400, "\(answer.text)")
            }
        }
    }

    @Test func `Something else than JSON is said to be that`() async throws {
        try await TestAPI.with { api in
            let answer = try await api.send(
                "POST", "/v1/reports", body: "a=b", type: "application/x-www-form-urlencoded")
            #expect(answer.status == 415)
        }
    }

    @Test func `Too many entries are refused before they are looked at`() async throws {
        try await TestAPI.with { api in
            let ann = try await api.newPhone()
            let code =
                #"{"app":"herald","code":"1","since":"2026-11-02T00:00:00Z","until":"2026-11-02T01:00:00Z"}"#
            let codes = Array(repeating: code, count: 5001).joined(separator: ",")
            let answer = try await api.post("/v1/reports", api.reportBody(ann, more: #","codes":[\#(codes)]"#))
            #expect(answer.status == 422)
            let readings = Array(repeating: #"{"uuid":"","major":0,"minor":0,"timestamp":""}"#, count: 1001)
            let batch = #"{"phone":"\#(ann.id)","interactions":[\#(readings.joined(separator: ","))]}"#
            #expect(try await api.post("/v1/interactions", batch, secret: ann.secret).status == 422)
        }
    }

    /// A body with a few bytes changed, taken away or put in.
    private static func damaged(_ body: String, _ random: inout SeededGenerator) -> String {
        var body = Array(body.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let index = Int.random(in: body.indices, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: body[index] = UInt8.random(in: 0...255, using: &random)
            case 1: body.remove(at: index)
            default: body.insert(UInt8.random(in: 32...126, using: &random), at: index)
            }
        }
        return String(decoding: body, as: UTF8.self)
    }

    @Test func `Random bodies of reports store what was accepted, and nothing else`() async throws {
        try await TestAPI.with { api in
            var random = SeededGenerator("bodies of reports")
            let ann = try await api.newPhone()
            let good = api.reportBody(ann, more: #","test":{"date":"2026-11-01"}"#)
            var accepted = 0
            for _ in 0..<300 {
                let answer = try await api.post("/v1/reports", Self.damaged(good, &random))
                #expect([201, 400, 403, 422, 429].contains(answer.status), random.comment)
                if answer.status == 201 { accepted += 1 }
            }
            let reports = try api.store.use { try $0.reports(since: 0) }
            #expect(reports.count == accepted, random.comment)
            #expect(reports.allSatisfy { $0.subjects.map(\.identity) == [ann.identity] }, random.comment)
        }
    }

    @Test func `Random bodies of what phones ranged store only their own stays at known beacons`() async throws {
        try await TestAPI.with { api in
            var random = SeededGenerator("bodies of interactions")
            let (ann, heard) = (try await api.newPhone(), try await api.newPhone())
            try api.hear(heard.identity, 0...1, sequence: 1)
            let reading =
                #"{"uuid":"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0","major":1,"minor":1,"proximity":"near","distance":1.25,"#
                + #""timestamp":"2026-11-02T08:10:00Z"}"#
            let good = #"{"phone":"\#(ann.id)","interactions":[\#(reading)]}"#
            var accepted = 0
            for _ in 0..<300 {
                let answer = try await api.post("/v1/interactions", Self.damaged(good, &random), secret: ann.secret)
                #expect([200, 400, 401, 422].contains(answer.status), random.comment)
                if answer.text.contains(#""stored":1"#) { accepted += 1 }
            }
            let now = morning + 4 * 3600
            let stays = try api.stays()
            #expect(stays.allSatisfy { $0.end <= now + 120 && $0.start >= now - 14 * 86_400 }, random.comment)
            #expect(stays.count <= accepted + 1, random.comment)
            let names = try api.store.use { try $0.subjects(Set(stays.map(\.subject))) }
            #expect(Set(names.values).isSubset(of: [ann.identity, heard.identity]), random.comment)
        }
    }

    @Test func `Random bodies of check-ins sign for nobody who isn't there`() async throws {
        try await TestAPI.withStudent { api, badge, secret in
            var random = SeededGenerator("bodies of check-ins")
            let good = #"{"room":"101","kind":"badge","id":"\#(badge.id)"}"#
            for _ in 0..<300 {
                let answer = try await api.post("/v1/check-ins", Self.damaged(good, &random), secret: secret)
                #expect([200, 400, 401].contains(answer.status), "\(answer.text)")
            }
            #expect(try await api.post("/v1/check-ins", good, secret: secret).member("result") == "not-in-the-room")
        }
    }
}
