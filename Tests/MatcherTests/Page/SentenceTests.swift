import Testing

@testable import MatcherDaemon

@Suite("Texts of pages") struct SentenceTests {
    @Test("A sentence begins with a capital letter, and ends with a full stop") func sentence() {
        #expect(["it is late", "é", "3 more", ""].map(\.asSentence) == ["It is late.", "É.", "3 more.", "."])
    }

    @Test("White space is cut off at the ends alone") func trimmed() {
        #expect("\n a  b\t ".trimmed == "a  b")
        #expect(" \u{3000}".trimmed == "")
    }

    @Test("What was typed on several lines is put on one") func onOneLine() {
        #expect(" a \r\n b\u{2028}c ".onOneLine == "a b c")
    }
}
