import Testing

@testable import Setup

@Suite("Difference of lines") struct LineDifferenceTests {
    @Test func `Changed lines are shown with those around them, and what is between is left out`() {
        let old = (1...12).map { "\($0)\n" }.joined()
        let new = old.replacing("\n2\n", with: "\nzwei\n").replacing("12\n", with: "12\n13\n")
        #expect(
            LineDifference.lines(from: old, to: new, context: 1) == [
                "  1", "- 2", "+ zwei", "  3", "  ...", "  12", "+ 13",
            ])
        #expect(LineDifference.lines(from: old, to: old).isEmpty)
        #expect(LineDifference.lines(from: "", to: "a\n") == ["+ a"])
    }
}
