import OperatorText
package import PictureReading

extension MatcherConfiguration {
    private static let pictureSocket = "/run/beacon-ocr.sock"
    private static let readers = ["sandbox", "socket", "off"]

    /// Reads the table `pictures`.
    static func readPictures(_ root: TOMLReader) -> PictureSettings {
        guard let reader = root.table("pictures") else { return .sandbox }
        defer { reader.finish() }
        if !root.has("page") {
            root.report("pictures", found: "is given without [page]", allowed: "needs a table [page]")
        }
        let form = readers.map { "\"\($0)\"" }.joined(separator: ", ")
        let name = reader.parsed("reader", allowed: "one of \(form)") { readers.contains($0) ? $0 : nil }
        let pathForm = "an absolute path of at most \(PictureSocket.longestPath) bytes"
        let path = reader.parsed("socket", allowed: pathForm) { text in
            text.hasPrefix("/") && text.utf8.count <= PictureSocket.longestPath && !text.utf8.contains(0) ? text : nil
        }
        if reader.has("socket"), let name = reader.has("reader") ? name : "sandbox", name != "socket" {
            reader.report("socket", found: "is given without reader = \"socket\"", allowed: "needs it")
        }
        switch name {
        case "socket": return .socket(path: path ?? pictureSocket)
        case "off": return .off
        default: return .sandbox
        }
    }

    /// Returns why pictures on the page are taken but not read on this machine; `nil` if they are read, or not taken.
    package func pictureObstacle() -> PictureReadingError? {
        guard page != nil else { return nil }
        switch pictures {
        case .sandbox:
            do throws(PictureReadingError) {
                try PictureSandbox.check()
                return nil
            } catch {
                return error
            }
        case .socket(let path): return PictureSocket.obstacle(at: path)
        case .off: return nil
        }
    }
}
