import Pages
import SignIn
import Testing

@Suite("The policy on the page", .timeLimit(.minutes(10))) struct PolicyScreenTests {
    @Test("Officers come from the exposures to the rules, and nobody else does") func rules() async throws {
        try await TestAPI.with(configuration: TestAPI.pageConfiguration) { api in
            let officer = try api.browser(.officer)
            #expect(try await officer.get("/exposures").text.contains("href=\"/policy\""))
            let shown = try await officer.get("/policy")
            #expect(shown.status == 200)
            for text in ["<dd>further</dd>", "6 m or less", "1 exposure", "Precision"] {
                #expect(shown.text.contains(text), "\(text)")
            }
            #expect(try await api.browser(.lecturer).get("/policy").status == 403)
        }
    }
}
