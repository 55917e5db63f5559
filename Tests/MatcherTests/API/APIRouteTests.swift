import HTTPTypes
import RecordContract
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

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
                case .anybody, .enrolment, .code, .reporter: []
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
