import Pages
import SignIn

/// HTML of a page, and what can be asked of it without a browser.
struct ShownPage {
    var html: String

    init(_ page: some PageContent) throws { html = try PageRenderer().html(page) }

    /// Frame of a page that somebody in a role sees.
    static func frame(_ title: String, _ role: Role) -> Frame {
        Frame(title, account: (Account(issuer: "i", subject: "s", name: "Viewer", roles: [role]), "form-token"))
    }

    /// The contents without tags and line ends, each run of white space as one space.
    var words: String {
        var text = ""
        var isTag = false
        for character in html {
            if character == "<" { isTag = true }
            text += isTag ? " " : String(character)
            if character == ">" { isTag = false }
        }
        return text.split { $0.isWhitespace }.joined(separator: " ")
    }

    func count(_ part: String) -> Int { html.ranges(of: part).count }

    /// Fields of forms that are neither hidden nor within a label.
    var unlabelledFields: [String] {
        var found: [String] = []
        var isLabelled = false
        for tag in html.split(separator: "<").map({ $0.prefix { $0 != ">" } }) {
            let name = tag.prefix { $0.isLetter || $0 == "/" }
            if name == "label" { isLabelled = true }
            if name == "/label" { isLabelled = false }
            let isField = ["input", "select", "textarea"].contains(name) && !tag.contains("type=\"hidden\"")
            if isField, !isLabelled { found.append(String(tag)) }
        }
        return found
    }

    /// Tables without a caption, and header cells without a scope.
    var nakedTables: Int {
        count("<table") - count("<caption>") + count("<th>")
    }
}

/// Names that try to leave the text or the attribute in which they are shown.
enum Hostile {
    static let name = "<script>alert(1)</script>\"'&"
    /// A quotation mark that is a part of another character.
    static let accented = "x\"\u{301} autofocus y=\"\u{301}"
    /// A sign that Unicode joins with the character after it.
    static let joined = "x\u{600}\" autofocus y=\u{600}\""
}
