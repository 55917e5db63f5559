import Glibc
import HTTPClient
import HTTPTypes
import InteractionStore
import Matching
import RecordContract
import SystemIO
import TestSupport
import Testing

@testable import MatcherDaemon

@Suite("Who may ask for what", .timeLimit(.minutes(10))) struct AccessTests {
    /// What somebody shows who asks.
    private enum Credential: CaseIterable {
        case none, garbage, otherSubjects, own, operators
    }

    private func secret(_ credential: Credential, of ann: TestAPI.Phone, _ ben: TestAPI.Phone) -> String? {
        switch credential {
        case .none: nil
        case .garbage: "x"
        case .otherSubjects: ben.secret
        case .own: ann.secret
        case .operators: TestAPI.operatorToken
        }
    }

    /// A body that names `ann`, with a secret where a body has one.
    private func body(_ path: String, _ ann: TestAPI.Phone, _ secret: String?) -> String {
        switch path {
        case "/v1/interactions":
            #"{"phone":"\#(ann.id)","interactions":[{"uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0","major":1,"minor":1,"#
                + #""timestamp":"2026-11-02T12:00:00Z"}]}"#
        case "/v1/commitments":
            #"{"phone":"\#(ann.id)","day":"2026-11-02","hash":"hw6qFisDp_w0AN3yl_JuA8VJ8zf_7Z4sHMsOVYa7zsY"}"#
        case "/v1/reports": #"{"subjects":[{"kind":"phone","id":"\#(ann.id)","secret":"\#(secret ?? "")"}]}"#
        case "/v1/check-ins": #"{"room":"101","kind":"phone","id":"\#(ann.id)"}"#
        default: "{}"
        }
    }

    // Each route of the table with each credential: a new route without a rule doesn't compile, and one that doesn't keep to
    // its rule fails here.
    @Test func `Every route is open to those of its rule, and to nobody else`() async throws {
        try await TestAPI.with { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            for entry in APIRoute.table {
                // It has no end.
                if entry.path.hasSuffix("/events") { continue }
                let path = entry.path.replacing("{id}", with: "phone:\(ann.id)").replacing("{day}", with: "2026-11-02")
                for credential in Credential.allCases {
                    let secret = secret(credential, of: ann, ben)
                    let answer =
                        entry.method == .get
                        ? try await api.get(path, secret: secret)
                        : try await api.post(path, body(entry.path, ann, secret), secret: secret)
                    let isAllowed =
                        switch entry.access {
                        case .anybody, .enrolment, .code: true
                        case .subject, .carrier, .reporter: credential == .own
                        case .operators: credential == .operators
                        }
                    let isRefused = answer.status == 401 || answer.status == 403
                    // Nobody is on a roster here, which is told as a wrong secret is.
                    if entry.path == "/v1/check-ins" {
                        #expect(isRefused || answer.status == 404, "\(entry.path) \(credential): \(answer.status)")
                    } else {
                        #expect(isRefused == !isAllowed, "\(entry.path) \(credential): \(answer.status)")
                    }
                    #expect(answer.status < 500, "\(entry.path) \(credential): \(answer.status)")
                }
            }
        }
    }

    @Test func `The stream of events is for its subject alone`() async throws {
        try await TestAPI.with { api in
            let (ann, ben) = (try await api.newPhone(), try await api.newPhone())
            for credential in Credential.allCases where credential != .own {
                let answer = try await api.get(ann.path + "/events", secret: secret(credential, of: ann, ben))
                #expect(answer.status == 401, "\(credential)")
            }
        }
    }

    /// Two operators, and phones that need no code.
    private static func configuration(
        _ operators: [String: String], port: UInt16, in directory: TemporaryDirectory
    ) throws -> String {
        let tables = try operators.sorted { $0.key < $1.key }.map { name, token in
            let file = try directory.write("\(name).token", token + "\n")
            return "[[operators]]\nname = \"\(name)\"\ntoken-file = \"\(file)\""
        }
        return try TestMatcher.configuration(
            .sqlite(directory.path + "/store.sqlite"), port: port,
            more: """

                [api]
                listen = "127.0.0.1:0"
                [phones]
                enrolment = "open"
                \(tables.joined(separator: "\n"))
                """, in: directory)
    }

    private static func send(
        _ method: String, _ port: String, _ path: String, _ token: String, _ body: String? = nil
    ) async throws -> HTTPClient.Response {
        try await TestAPI.client.send(
            HTTPClient.Request(
                method, "http://127.0.0.1:\(port)\(path)",
                headers: [.init("Authorization", "Bearer \(token)"), .init("Content-Type", "application/json")],
                body: body.map { Array($0.utf8) }))
    }

    private static func port(of matcher: TestMatcher) async throws -> String {
        let listening = await matcher.process.errorOutput.first { $0.contains("API listening") }
        return String(try #require(listening?.split(separator: "port=").last?.prefix { $0.isNumber }))
    }

    private struct Phone: Decodable {
        var id: String
        var secret: String
    }

    @Test func `The log says who asked for what and who was refused, and no secret`() async throws {
        let directory = try TemporaryDirectory()
        let tokens = ["desk": "token-of-the-desk-0001", "porter": "token-of-the-porter-02"]
        try await TestBroker.with { broker in
            let matcher = try TestMatcher(try Self.configuration(tokens, port: broker.port, in: directory))
            let port = try await Self.port(of: matcher)
            var lines: [String] = []
            func nextLine() async -> String {
                let line = await matcher.process.errorOutput.first { $0.contains(" access") } ?? "nothing"
                lines.append(line)
                return line
            }
            let porter = tokens["porter"] ?? ""
            #expect(try await Self.send("GET", port, "/v1/occupancy", porter).status == 200)
            var line = await nextLine()
            #expect(line.contains("operator=porter") && line.contains("route=GET /v1/occupancy"), "\(line)")
            #expect(line.contains("client=127.0.0.1"), "\(line)")

            #expect(try await Self.send("GET", port, "/v1/occupancy", "token-that-somebody-guessed").status == 401)
            line = await nextLine()
            #expect(line.contains("access refused") && line.contains("client=127.0.0.1"), "\(line)")
            // More of the same, and what is mistaken, leave no line before the next of somebody who is known.
            for _ in 0..<20 {
                #expect(try await Self.send("GET", port, "/v1/occupancy", "token-that-somebody-guessed").status == 401)
                #expect(try await Self.send("POST", port, "/v1/occupancy", "", "{}").status == 405)
                #expect(try await Self.send("POST", port, "/v1/reports", "", "[]").status == 400)
            }
            #expect(try await Self.send("GET", port, "/v1/attendance?course=Physics&student=s1", porter).status == 404)
            line = await nextLine()
            #expect(!line.contains("refused") && line.contains("operator=porter"), "\(line)")
            #expect(line.contains("about=course=Physics&student=s1") && line.contains("status=404"), "\(line)")

            // Whoever the body names is in the log under one name, which is neither theirs nor their secret.
            let created = try await Self.send("POST", port, "/v1/phones", "", "{}")
            let phone = try JSON.decode(Phone.self, from: created.body)
            line = await nextLine()
            #expect(line.contains("route=POST /v1/phones"), "\(line)")
            let body = #"{"phone":"\#(phone.id)","interactions":[]}"#
            let answer = try await Self.send("POST", port, "/v1/interactions", phone.secret, body)
            #expect(answer.status == 200 || answer.status == 422)
            let stays = await nextLine()
            #expect(try await Self.send("GET", port, "/v1/subjects/phone:\(phone.id)/risk", phone.secret).status == 200)
            let risk = await nextLine()
            func name(_ line: String) -> Substring? {
                line.ranges(of: "subject=phone ").first.map { line[$0.upperBound...].prefix(16) }
            }
            #expect(name(stays)?.allSatisfy(\.isHexDigit) == true, "\(stays)")
            #expect(name(stays) == name(risk), "\(stays)\n\(risk)")
            for line in lines {
                for secret in [phone.id, phone.secret, "token-of", "somebody-guessed"] {
                    #expect(!line.contains(secret), "\(line)")
                }
            }
            #expect(await matcher.stop() == 0)
        }
    }

    @Test func `An operator who was taken out of the configuration is refused at once, and no other`() async throws {
        let directory = try TemporaryDirectory()
        let (desk, porter) = ("token-of-the-desk-0001", "token-of-the-porter-02")
        try await TestBroker.with { broker in
            let file = try Self.configuration(["desk": desk, "porter": porter], port: broker.port, in: directory)
            let matcher = try TestMatcher(file)
            let port = try await Self.port(of: matcher)
            for token in [desk, porter] {
                #expect(try await Self.send("GET", port, "/v1/occupancy", token).status == 200)
            }
            _ = try Self.configuration(["desk": desk], port: broker.port, in: directory)
            matcher.process.send(signal: SIGHUP)
            #expect(await matcher.said("configuration reloaded"))
            #expect(try await Self.send("GET", port, "/v1/occupancy", porter).status == 401)
            #expect(try await Self.send("GET", port, "/v1/occupancy", desk).status == 200)
            #expect(await matcher.stop() == 0)
        }
    }
}
