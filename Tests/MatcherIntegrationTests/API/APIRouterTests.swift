import HTTPTypes
import Hummingbird
import Logging
import Matching
import NIOEmbedded
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

@Suite("The router of the API", .timeLimit(.minutes(10))) struct APIRouterTests {
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
}
