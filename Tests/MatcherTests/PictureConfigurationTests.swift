import Testing

@testable import MatcherDaemon
@testable import OperatorText

@Suite("Configuration of pictures") struct PictureConfigurationTests {
    private let page = """
        [api]
        listen = "127.0.0.1:8480"
        [page]
        base-url = "http://127.0.0.1:8480"

        """

    private func parse(_ text: String) throws(ConfigurationError) -> MatcherConfiguration {
        try MatcherConfiguration.parse(text, path: "m.toml") { _ in [] }
    }

    private func problems(_ text: String) -> [String] {
        do throws(ConfigurationError) {
            _ = try parse(text)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }

    @Test(
        "Pictures are read in bubblewrap, behind a socket, or not taken",
        arguments: [
            ("", PictureSettings.sandbox), ("[pictures]\n", .sandbox), ("[pictures]\nreader = \"sandbox\"\n", .sandbox),
            ("[pictures]\nreader = \"off\"\n", .off),
            ("[pictures]\nreader = \"socket\"\n", .socket(path: "/run/beacon-ocr.sock")),
            ("[pictures]\nreader = \"socket\"\nsocket = \"/run/ocr/a.sock\"\n", .socket(path: "/run/ocr/a.sock")),
        ])
    func readers(text: String, expected: PictureSettings) throws {
        #expect(try parse(page + text).pictures == expected)
    }

    @Test(
        "What is wrong is named",
        arguments: [
            ("[pictures]\nreader = \"tesseract\"\n", "pictures.reader"),
            ("[pictures]\nreader = \"socket\"\nsocket = \"ocr.sock\"\n", "pictures.socket"),
            ("[pictures]\nsocket = \"/run/ocr.sock\"\n", "pictures.socket"),
            ("[pictures]\nreader = \"off\"\nsocket = \"/run/ocr.sock\"\n", "pictures.socket"),
            ("[pictures]\nlimit = 1\n", "pictures.limit"),
        ])
    func wrong(text: String, key: String) {
        let found = problems(page + text)
        #expect(found.count == 1 && found.first?.contains(key) == true, "\(found)")
    }

    @Test("Without a page there are no pictures") func withoutPage() throws {
        #expect(problems("[pictures]\nreader = \"off\"\n").first?.contains("needs a table [page]") == true)
        #expect(try parse("").pictureObstacle() == nil)
    }

    @Test("Another reader needs a restart") func reload() throws {
        let changed = try parse(page + "[pictures]\nreader = \"off\"\n")
        #expect(try parse(page).needsRestart(to: changed) == ["pictures"])
    }
}
