import Testing

@testable import RecordContract

@Suite struct PseudonymizerTests {
    private let identity = "00112233445566778899aabbccddeeff"

    // python3: hmac.new(hmac.new(b"0123456789abcdef", b"mcgill/2020-11-15", "sha256").digest(),
    //                   b"00112233445566778899aabbccddeeff", "sha256").hexdigest()[:32]
    @Test("A pseudonym is the HMAC-SHA256 of the identity under the day's key")
    func vector() {
        let pseudonymizer = Pseudonymizer(secret: Array("0123456789abcdef".utf8))
        #expect(
            pseudonymizer.pseudonym(for: identity, site: "mcgill", day: "2020-11-15")
                == "52a357c3aca737d2f327f82a63331333")
    }

    @Test("Another day, site or secret gives another pseudonym")
    func unlinkable() {
        let pseudonymizer = Pseudonymizer(secret: Array("0123456789abcdef".utf8))
        let other = Pseudonymizer(secret: Array("0123456789abcdeF".utf8))
        let pseudonyms = [
            pseudonymizer.pseudonym(for: identity, site: "a", day: "2020-11-15"),
            pseudonymizer.pseudonym(for: identity, site: "a", day: "2020-11-16"),
            pseudonymizer.pseudonym(for: identity, site: "b", day: "2020-11-15"),
            other.pseudonym(for: identity, site: "a", day: "2020-11-15"),
        ]
        #expect(Set(pseudonyms).count == 4)
    }
}
