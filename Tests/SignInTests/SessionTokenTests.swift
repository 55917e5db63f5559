import SignIn
import Testing

@Suite("Secrets of sessions and forms") struct SessionTokenTests {
    @Test("A token has 256 bits in base64url, another each time") func random() {
        let tokens = (0..<100).map { _ in SessionToken().text }
        #expect(Set(tokens).count == 100)
        #expect(tokens.allSatisfy { $0.utf8.count == 43 && SessionToken($0) != nil })
    }

    @Test("Text of another form is no token", arguments: ["", "abc", String(repeating: "=", count: 43)])
    func form(_ text: String) { #expect(SessionToken(text) == nil) }

    @Test("The hash is SHA-256 in hexadecimal") func hash() throws {
        let token = try #require(SessionToken(String(repeating: "A", count: 43)))
        // sha256sum of 43 letters A.
        #expect(token.hash == "0f007385b6f9d4b7eeb2748605afe1a984a0a3bfa3f014d09e2a784ce9e5cd1a")
    }

    @Test("A description does not have the secret") func description() {
        let token = SessionToken()
        #expect(!"\(token)".contains(token.text))
        #expect(!String(reflecting: token).contains(token.text))
    }

    @Test("A form's token is that of one session and one key") func formToken() {
        let key: [UInt8] = Array(repeating: 1, count: 32)
        let token = FormToken.of(session: "a", key: key)
        #expect(FormToken.isRight(token, session: "a", key: key))
        #expect(!FormToken.isRight(token, session: "b", key: key))
        #expect(!FormToken.isRight(token, session: "a", key: [2]))
        #expect(!FormToken.isRight("", session: "a", key: key))
        #expect(!FormToken.isRight(token + "x", session: "a", key: key))
    }
}
