import SignIn
import Testing

@testable import MatcherDaemon

@Suite("Courses of a lecturer's account") struct LecturerCoursesTests {
    private func settings(numberClaim: String?) throws -> PageSettings {
        PageSettings(
            address: try #require(PublicAddress("https://beacons.example")),
            login: ClientSettings(
                issuer: "https://login.example", clientID: "c", clientSecret: "s", redirectURI: "r",
                numberClaim: numberClaim, roleRules: []),
            sessions: SessionPolicy(), courses: ["4711": ["Physics"], "4712": ["Chemistry"]])
    }

    private func account(_ subject: String, number: String? = nil, issuer: String = "https://login.example") -> Account
    {
        Account(issuer: issuer, subject: subject, name: "Lea", number: number, roles: [.lecturer])
    }

    @Test func `An identifier that is another lecturer's number gives none of their courses`() throws {
        let settings = try settings(numberClaim: "staff_number")
        #expect(settings.courses(of: account("4712", number: "4711")) == ["Physics"])
        #expect(settings.courses(of: account("4712", number: "1")) == [])
        #expect(settings.courses(of: account("4712")) == [])
    }

    @Test func `Where accounts have no numbers the identifier counts`() throws {
        let settings = try settings(numberClaim: nil)
        #expect(settings.courses(of: account("4712")) == ["Chemistry"])
        #expect(settings.courses(of: account("lea")) == [])
    }

    @Test func `An account of a one-time link has the courses of its number, or of its name without one`() throws {
        let settings = try settings(numberClaim: "staff_number")
        #expect(settings.courses(of: account("Lea", number: "4711", issuer: Account.local)) == ["Physics"])
        #expect(settings.courses(of: account("4712", issuer: Account.local)) == ["Chemistry"])
    }
}
