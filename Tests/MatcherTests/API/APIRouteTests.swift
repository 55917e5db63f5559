import FoundationEssentials
import HTTPTypes
import Hummingbird
import Logging
import Matching
import NIOEmbedded
import RecordContract
import Testing
@testable import MatcherDaemon
@testable import MatcherCore


@Suite("Paths of the API") struct APIRouteTests {
    private struct Document: Decodable {
        var openapi: String
        var paths: [String: [String: Operation]]

        struct Operation: Decodable {
            var operationId: String
            var responses: [String: Response]
            var security: [[String: [String]]]?
        }

        struct Response: Decodable {
            var description: String?
        }
    }

    @Test func `The document describes what there is, and nothing else`() throws {
        let document = try JSON.decode(Document.self, from: OpenAPIDocument.bytes)
        #expect(document.openapi == "3.1.0")
        let described = document.paths.flatMap { path, operations in operations.keys.map { "\($0) \(path)" } }
        #expect(described.sorted() == APIRoute.table.map { "\($0.method.rawValue.lowercased()) \($0.path)" }.sorted())
        for operation in document.paths.values.flatMap(\.values) {
            #expect(operation.responses["429"] != nil, "\(operation.operationId)")
        }
    }

    @Test func `The document says of each route whose credential it takes`() throws {
        let document = try JSON.decode(Document.self, from: OpenAPIDocument.bytes)
        for entry in APIRoute.table {
            let operation = document.paths[entry.path]?[entry.method.rawValue.lowercased()]
            let expected: [String] =
                switch entry.access {
                case .anybody, .enrolment, .reporter: []
                case .subject, .carrier: ["secret"]
                case .operators: ["operator"]
                }
            #expect((operation?.security ?? []).flatMap(\.keys) == expected, "\(entry.path)")
        }
    }

    // Bodies of a megabyte for what needs a hundred bytes had taken half a gigabyte before anybody was asked.
    @Test func `A route takes no larger body than it is for, and the document says how large`() throws {
        let document = try JSON.decode(Document.self, from: OpenAPIDocument.bytes)
        for entry in APIRoute.table {
            let operation = document.paths[entry.path]?[entry.method.rawValue.lowercased()]
            let expected: String? =
                entry.method == .post ? "The body has more than \(entry.largestBody) bytes." : nil
            #expect(operation?.responses["413"]?.description == expected, "\(entry.path)")
            #expect((entry.largestBody > 0) == (entry.method == .post), "\(entry.path)")
        }
        let large = APIRoute.table.filter { $0.largestBody > 4096 }.map(\.path)
        #expect(large == ["/v1/interactions", "/v1/reports"])
    }

    /// What the router makes of a request.
    private struct Outcome: Equatable {
        var status: Int
        var allow: String?
        /// Path of the route that is asked, with what it is asked about.
        var asked: [String] = []
    }

    /// Sends a request through the router, whose routes only note what they are asked.
    private func outcome(_ method: HTTPRequest.Method, _ path: String) async throws -> Outcome {
        let (notes, noted) = AsyncStream<String>.makeStream()
        let router = Router(context: APIContext.self)
        router.add(middleware: RouteMiddleware(isBehindProxy: false))
        router.add(middleware: ProblemMiddleware(isBodyRead: false))
        router.add(middleware: MethodMiddleware())
        APIRouter.add(APIRoute.table, to: router) { route, request in
            let about = route.access == .subject ? try request.subject().description : request.day
            noted.yield(([route.path] + [about].compactMap(\.self)).joined(separator: " "))
            return .empty
        }
        let head = HTTPRequest(method: method, scheme: "http", authority: "localhost", path: path)
        let response = try await router.buildResponder().respond(
            to: Request(head: head, body: .init(buffer: .init())), context: Self.context())
        noted.finish()
        return Outcome(
            status: response.status.code, allow: response.headers[.allow],
            asked: await notes.reduce(into: []) { $0.append($1) })
    }

    private static func context() -> APIContext {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        return APIContext(source: .init(channel: channel, logger: Logger(label: "test")))
    }

    @Test func `Each route of the table is reached, and no other by its path and method`() async throws {
        for entry in APIRoute.table {
            let path = entry.path.replacing("{id}", with: "phone:a").replacing("{day}", with: "2026-11-02")
            let about = entry.path.contains("{id}") ? " phone:a" : entry.path.contains("{day}") ? " 2026-11-02" : ""
            #expect(try await outcome(entry.method, path) == Outcome(status: 204, asked: [entry.path + about]))
            for method in [HTTPRequest.Method.get, .post, .head, .put, .delete, .options, .patch]
            where method != entry.method {
                let refused = Outcome(status: 405, allow: entry.method.rawValue)
                #expect(try await outcome(method, path) == refused, "\(method) \(path)")
            }
        }
    }

    @Test func `A badge's id is percent-encoded`() async throws {
        let path = "/v1/subjects/badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0%2F1%2f2/exposures/read"
        let badge = "badge:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2"
        #expect(
            try await outcome(.post, path)
                == Outcome(status: 204, asked: ["/v1/subjects/{id}/exposures/read \(badge)"]))
    }

    @Test(arguments: [
        "/", "", "/v1", "/v1/reports/", "//v1/reports", "/v1//reports", "/v1/subjects//risk", "/v2/reports",
        "v1/reports", "*", "/v1/Reports", "/v1/%72eports", "/v1%2Freports", "/v1/subjects/phone:a/risk/",
        "/v1/subjects/phone:a/risk/more", "/v1/subjects/phone:a", "/v1/subjects/badge:a/1/2/risk", "/v1/./reports",
        "/v1/reports/../reports",
    ])
    func `Another path is nowhere, whatever the method`(path: String) async throws {
        for method in [HTTPRequest.Method.get, .post, .head] {
            #expect(try await outcome(method, path) == Outcome(status: 404), "\(method)")
        }
    }

    @Test(arguments: [
        "nobody", "phone:", "phone:%", "phone:%4", "phone:%zz", "phone:%+4", "phone:a%20b", "phone:%FF", "Phone:a",
        "phone:%00", "phone:a%00", "phone%253Aa", "%2570hone:a", "phone:%C0%AF", "phone:%ED%A0%80",
    ])
    func `What is no subject is told as a wrong secret is`(id: String) async throws {
        #expect(try await outcome(.get, "/v1/subjects/\(id)/risk") == Outcome(status: 401))
    }

    @Test(arguments: [
        ("phone:a", "phone:a"), ("phone%3Aa", "phone:a"), ("phone:%61", "phone:a"), ("%70hone:a", "phone:a"),
        ("phone:a%2Fb", "phone:a/b"), ("phone:%2561", "phone:%61"),
    ])
    func `A subject is decoded once`(id: String, subject: String) async throws {
        #expect(
            try await outcome(.get, "/v1/subjects/\(id)/risk")
                == Outcome(status: 204, asked: ["/v1/subjects/{id}/risk \(subject)"]))
    }

    // 60 a minute is one a second, and 60 at once.
    @Test func `A budget fills again with time`() {
        var budgets = RequestBudgets(perMinute: 60)
        for _ in 0..<60 { #expect(budgets.takes("a", now: 0) == nil) }
        #expect(budgets.takes("a", now: 0) == 1)
        #expect(budgets.takes("b", now: 0) == nil)
        #expect(budgets.takes("a", now: 1) == nil)
        #expect(budgets.takes("a", now: 1) == 1)
        // A clock that went back gives nothing away.
        #expect(budgets.takes("a", now: 0.5) == 2)
    }

    // 60 - 50 leave 10 of the 20; 60 - 100 leave -40, and 1 is there again after 41 seconds.
    @Test func `What costs more takes more, and may take of what comes`() {
        var budgets = RequestBudgets(perMinute: 60)
        #expect(budgets.takes("a", cost: 50, now: 0) == nil)
        #expect(budgets.takes("a", cost: 20, now: 0) == 10)
        #expect(budgets.takes("a", cost: 10, now: 0) == nil)
        #expect(budgets.takes("b", cost: 100, now: 0) == nil)
        #expect(budgets.takes("b", now: 0) == 41)
    }

    @Test func `Clients that never come again aren't remembered for ever`() {
        var budgets = RequestBudgets(perMinute: 1, capacity: 100)
        for client in 0..<100_000 { _ = budgets.take("\(client)", now: .zero) }
        #expect(budgets.count <= 200)
    }
}

extension RequestBudgets {
    // Mutating calls don't go into expectations.
    fileprivate mutating func takes(_ client: String, cost: Int = 1, now: Double) -> Int64? {
        take(client, cost: cost, now: .seconds(now))
    }
}
