import Testing

@testable import SignIn

@Suite("Accounts from claims") struct AccountClaimsTests {
    private func account(
        _ changes: [String: String?] = [:], rolesClaim: String = "groups", nameClaim: String = "name"
    ) throws -> Account {
        var client = TestProvider.client
        client.rolesClaim = rolesClaim
        client.nameClaim = nameClaim
        let json = Array(TestProvider.claims(changes).utf8)
        let members = try #require(ProviderJSON.decode([String: ClaimValue].self, from: json))
        let claims = IDTokenClaims(issuer: TestProvider.issuer, subject: "248289761001", members: members)
        return try AccountClaims(claims, client: client).account(client.roleRules)
    }

    @Test func `An account has name, number and roles`() throws {
        let expected = Account(
            issuer: TestProvider.issuer, subject: "248289761001", name: "Ann Lee", number: "4711",
            roles: [.officer, .student])
        let groups = #"["students","health-officers","unknown","students"]"#
        #expect(try account(["groups": groups, "student_number": #""4711""#]) == expected)
        #expect(try account(["groups": groups, "student_number": "4711"]) == expected)
    }

    @Test(arguments: [nil, "null", "[]", #"["Students"]"#, #""students guests""#, "\"\""] as [String?])
    func `An account without a known value has no role`(groups: String?) throws {
        #expect(try account(["groups": groups]).roles.isEmpty)
    }

    @Test func `One text is one value`() throws {
        #expect(try account(["groups": #""guests""#]).roles == [.student])
    }

    @Test func `Roles can be within objects`() throws {
        let nested = #"{"roles":["health-officers"]}"#
        #expect(try account(["realm_access": nested], rolesClaim: "realm_access.roles").roles == [.officer])
        #expect(try account(["realm_access": nested], rolesClaim: "realm_access.other").roles.isEmpty)
        #expect(try account(["realm_access": "1"], rolesClaim: "realm_access.roles").roles.isEmpty)
        #expect(try account(rolesClaim: "a.b.c.d.e.f.g.h.i").roles.isEmpty)
        #expect(try account(rolesClaim: "..").roles.isEmpty)
    }

    @Test func `A claim whose name has dots comes before a path`() throws {
        let changes: [String: String?] = ["https://campus.example/roles": #""guests""#]
        #expect(try account(changes, rolesClaim: "https://campus.example/roles").roles == [.student])
    }

    @Test(arguments: ["1", #"{"students":1}"#, #"["students",1]"#])
    func `Roles of another form are refused`(groups: String) {
        #expect(throws: IDTokenError.self) { try account(["groups": groups]) }
    }

    @Test func `At most 1000 values are read`() throws {
        let values = [String](repeating: #""students""#, count: 1000).joined(separator: ",")
        #expect(try account(["groups": "[\(values)]"]).roles == [.student])
        #expect(throws: IDTokenError.claim("groups", "has more than 1000 values")) {
            try account(["groups": #"[\#(values),"x"]"#])
        }
    }

    @Test func `A name is safe to show, and there is always one`() throws {
        #expect(try account(["name": #""A\u001b[2J""#]).name == "A?[2J")
        #expect(try account(["name": nil, "preferred_username": #""ann""#]).name == "ann")
        #expect(try account(["name": "\"\""]).name == "248289761001")
        #expect(try account(["name": "\"\(String(repeating: "x", count: 999))\""]).name.count < 210)
    }

    @Test(arguments: [nil, "null", "\"\""] as [String?])
    func `An account can be without a number`(number: String?) throws {
        #expect(try account(["student_number": number]).number == nil)
    }

    @Test(arguments: ["1.5", "-1", "1e300", "[1]", #""a\nb""#, "\"\(String(repeating: "1", count: 65))\""])
    func `A number of another form is refused`(number: String) {
        #expect(throws: IDTokenError.self) { try account(["student_number": number]) }
    }
}
