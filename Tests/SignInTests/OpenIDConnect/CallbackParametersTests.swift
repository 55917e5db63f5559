import Testing

@testable import SignIn

@Suite("Answers by way of the browser") struct CallbackParametersTests {
    private func read(_ query: [String: String], namesIssuer: Bool = false) throws -> CallbackParameters {
        let changes: [String: String?] = [
            "authorization_response_iss_parameter_supported": namesIssuer ? "true" : "false"
        ]
        return try CallbackParameters(query: query, provider: TestProvider.metadata(changes))
    }

    @Test func `A code comes with the state`() throws {
        let parameters = try read(["code": "c", "state": "s", "session_state": "ignored"])
        #expect(parameters.state == "s")
        #expect(parameters.outcome == .code("c"))
    }

    @Test func `A refusal is made safe to show`() throws {
        let parameters = try read([
            "state": "s", "error": "access_denied",
            "error_description": "no\u{1B}[2J" + String(repeating: "x", count: 999),
        ])
        guard case .refused(code: "access_denied", description: let description?) = parameters.outcome else {
            Issue.record("\(parameters)")
            return
        }
        #expect(description.hasPrefix("no?[2Jxxx"))
        #expect(description.count < 210)
        let odd = try read(["state": "s", "error": "<script>"])
        #expect(odd.outcome == .refused(code: "unknown_error", description: nil))
    }

    @Test(
        arguments: [
            [:], ["code": "c"], ["code": "c", "state": ""], ["state": "s"], ["state": "s", "code": "c", "error": "e"],
            ["state": "s", "code": ""], ["state": "s", "code": "c\n"], ["state": "s\u{E9}", "code": "c"],
            ["state": "s", "code": String(repeating: "c", count: 4097)],
            ["state": String(repeating: "s", count: 257), "code": "c"],
            ["state": "s", "error": String(repeating: "e", count: 257)],
        ] as [[String: String]])
    func `Other parameters are refused`(query: [String: String]) {
        #expect(throws: SignInError.self) { try read(query) }
    }

    @Test func `An answer of another issuer is refused`() throws {
        let answer = ["code": "c", "state": "s"]
        let right = answer.merging(["iss": TestProvider.issuer]) { $1 }
        let wrong = answer.merging(["iss": "https://else.example"]) { $1 }
        #expect(try read(right).outcome == .code("c"))
        #expect(try read(right, namesIssuer: true).outcome == .code("c"))
        #expect(throws: SignInError.self) { try read(wrong) }
        #expect(throws: SignInError.self) { try read(answer, namesIssuer: true) }
    }
}
