import Testing

@testable import OperatorText

@Suite("Percent-encoding") struct PercentTextTests {
    @Test("Everything but unreserved characters is encoded") func encoding() {
        #expect(PercentText.encode("AZaz09-._~") == "AZaz09-._~")
        #expect(PercentText.encode("a b/ä+") == "a%20b%2F%C3%A4%2B")
    }

    @Test("A text is decoded once, and a plus stays") func decoding() {
        #expect(PercentText.decode("a%20b%2f%C3%A4+%2525") == "a b/ä+%25")
    }

    @Test("A damaged encoding is refused", arguments: ["%", "%2", "%2x", "%g0", "%FF", "a%C3"])
    func damaged(text: String) {
        #expect(PercentText.decode(text) == nil)
    }
}
