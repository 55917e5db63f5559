import InteractionStore
import Testing

private let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"

@Suite("Badges in a text of any format") struct BadgesInTextTests {
    @Test(
        arguments: [
            "\(uuid)/7/77", "badge:\(uuid)/7/77", "A,s1,badge:\(uuid.uppercased())/7/77,Name\n",
            "\"\(uuid)/7/77\"", "\(uuid.filter { $0 != "-" })/7/77;x", "ä\(uuid)/7/77ä",
        ])
    func `A badge is found wherever it is, in the form of records`(text: String) {
        #expect(BadgesInText.names(in: text.utf8) == ["\(uuid)/7/77"])
    }

    @Test(arguments: ["", "\(uuid)/7", "\(uuid)/7/77/1", "\(uuid)/7/70000", "2026/11/02", "campus/main/1/east"])
    func `Another text has none`(text: String) {
        #expect(BadgesInText.names(in: text.utf8).isEmpty)
    }
}
