import Testing

@testable import MatcherCore

@Suite struct TokenHeaderTests {
    private func objection(_ text: String) -> String? { TokenHeader.objection(to: Array(text.utf8)) }

    @Test(arguments: [
        #"{"alg":"ES256"}"#, #"{ "typ" : "JWT", "alg":"ES256", "kid":"2026-\"1{:1}\\" }"#,
    ])
    func `A header that says by which key it is signed is taken`(text: String) {
        #expect(objection(text) == nil)
    }

    // JWTKit converts every number to Int, and ends the process where that can't be.
    @Test(arguments: [
        #"{"alg":"ES256","x":9223372036854775808}"#, #"{"alg":"ES256","kid":1e300}"#, #"{"alg":"ES256","x":[1e19]}"#,
        #"{"alg":"ES256","x":{"y":"z"}}"#, #"{"alg":"ES256","x":null}"#, #"{"alg":"ES256","b64":false}"#, "", "1e300",
        "[]",
        #"{"alg":"ES256","kid":1e300,"kid":"k"}"#, "\u{FEFF}{\"alg\":\"ES256\"}", #"{"alg":"ES256"}{}"#,
    ])
    func `Anything but texts in it is refused`(text: String) {
        #expect(objection(text)?.contains("invalid header") == true, "\(text)")
    }

    @Test func `In another encoding it is refused`() {
        let bytes = #"{"alg":"ES256","x":1e300}"#.utf16.flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
        #expect(TokenHeader.objection(to: bytes) != nil)
    }

    @Test func `Extensions, other algorithms and long ones are refused`() {
        #expect(objection(#"{"alg":"ES256","crit":"exp"}"#)?.contains("other than") == true)
        #expect(objection(#"{"alg":"none"}"#)?.contains("ES256") == true)
        #expect(objection(#"{"typ":"JWT"}"#)?.contains("ES256") == true)
        #expect(objection("{\"alg\":\"ES256\"" + String(repeating: " ", count: 1100) + "}") != nil)
    }
}
