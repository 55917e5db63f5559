import Testing

@testable import MatcherCore

@Suite("What phones commit themselves to") struct CodeCommitmentTextTests {
    // The guide's example, computed with Python's hashlib and base64: day 20759 is 2026-11-02.
    private let example = CodeCommitmentText(
        app: "herald", day: 20_759, salt: "AAAAAAAAAAAAAAAAAAAAAA", codes: [42, 7])

    @Test func `The documented example has the documented hash`() {
        #expect(example.text == "beacon-commitment/1\nherald\n2026-11-02\nAAAAAAAAAAAAAAAAAAAAAA\n42,7")
        #expect(example.hash == "hw6qFisDp_w0AN3yl_JuA8VJ8zf_7Z4sHMsOVYa7zsY")
    }

    @Test func `Whatever is changed gives another hash`() {
        var others = [example, example, example, example, example]
        others[0].app = "further"
        others[1].day += 1
        others[2].salt = "AAAAAAAAAAAAAAAAAAAAAQ"
        others[3].codes = [7, 42]
        others[4].codes = [427]
        #expect(Set(others.map(\.hash) + [example.hash]).count == 6)
    }
}
