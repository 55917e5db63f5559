import BeaconModel
import JWTKit
import MatcherCore
import OperatorText
import Testing

@testable import MatcherDaemon

@Suite struct ReservedIssuerTests {
    // Whoever had that key could vouch for tests as if a health officer had issued a code.
    @Test func `No configured authority can be the matcher's own`() throws {
        let pem = ES256PrivateKey().publicKey.pemRepresentation
        func parse(_ issuer: String) throws(ConfigurationError) -> MatcherConfiguration {
            try MatcherConfiguration.parse(
                "[[authorities]]\nissuer = \"\(issuer)\"\nkey-file = \"/k\"\n", path: "/m.toml",
                readFile: { _ in Array(pem.utf8) })
        }
        #expect(try parse("https://health.example").reports.authorities.count == 1)
        let error = #expect(throws: ConfigurationError.self) { try parse(CodeAuthority.issuer) }
        let problems = error?.problems.map(\.description) ?? []
        #expect(problems.count == 1 && problems[0].hasPrefix("authorities[0].issuer"), "\(problems)")
    }
}
