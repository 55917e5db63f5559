import Testing

@testable import OperatorText

@Suite("Editing of TOML") struct TOMLEditorTests {
    private func edited(_ text: String, _ change: (inout TOMLEditor) throws -> Void) throws -> String {
        var editor = try TOMLEditor(text)
        try change(&editor)
        return editor.text
    }

    @Test func `A value is replaced, and everything around it stays`() throws {
        let text = "# top\n[a]\nx = 1   # one\ny = [\n  \"p\", # first\n]\n[b]\nx = 2\n"
        #expect(
            try edited(text) { try $0.set(["a", "x"], to: .integer(7)) }
                == text.replacing("x = 1 ", with: "x = 7 "))
        #expect(
            try edited(text) { try $0.set(["a", "y"], to: .strings(["q"])) }
                == "# top\n[a]\nx = 1   # one\ny = [\"q\"]\n[b]\nx = 2\n")
    }

    @Test func `A missing key is added at the end of its table, and a missing table beside that above it`() throws {
        let text = "[a]\nx = 1\n\n[b]\nx = 2"
        #expect(
            try edited(text) { try $0.set(["a", "y"], to: .boolean(true)) }
                == "[a]\nx = 1\ny = true\n\n[b]\nx = 2")
        #expect(
            try edited(text) { try $0.set(["a", "c", "y"], to: .string("é\"\\")) }
                == "[a]\nx = 1\n\n[a.c]\ny = \"é\\\"\\\\\"\n\n[b]\nx = 2")
        #expect(try edited(text) { try $0.set(["b", "y"], to: .integer(3)) } == text + "\ny = 3\n")
        #expect(try edited(text) { try $0.set(["n", "y"], to: .integer(3)) } == text + "\n\n[n]\ny = 3\n")
        #expect(try edited(text) { try $0.set(["z"], to: .integer(3)) } == "z = 3\n" + text)
    }

    @Test func `Keys and tables are removed`() throws {
        let text = "[a]\nx = 1 # gone\ny = 2\n[a.b]\nz = 3\n[c]\n"
        #expect(try edited(text) { try $0.remove(["a", "x"]) } == "[a]\ny = 2\n[a.b]\nz = 3\n[c]\n")
        #expect(try edited(text) { try $0.remove(["a", "b"]) } == "[a]\nx = 1 # gone\ny = 2\n[c]\n")
        #expect(try edited(text) { try $0.remove(["q"]) } == text)
    }

    @Test func `A row is added at the end, with the line breaks of the file`() throws {
        #expect(
            try edited("[[m]]\r\nx = 1\r\n[c]\r\n") {
                try $0.append("m", [("x", .integer(2)), ("odd key", .string(""))])
            }
                == "[[m]]\r\nx = 1\r\n[c]\r\n\r\n[[m]]\r\nx = 2\r\n\"odd key\" = \"\"\r\n")
    }

    @Test func `A key in braces cannot be changed alone, and the text stays`() throws {
        var editor = try TOMLEditor("a = { x = 1 }\n")
        #expect(throws: TOMLEditRefusal(path: ["a", "x"])) { try editor.set(["a", "x"], to: .integer(2)) }
        #expect(throws: TOMLEditRefusal.self) { try editor.remove(["a", "x"]) }
        #expect(throws: TOMLEditRefusal.self) { try editor.append("a", [("x", .integer(2))]) }
        #expect(editor.text == "a = { x = 1 }\n")
    }

    @Test func `A dotted key is changed in its place, and rows of lists are never taken for tables`() throws {
        #expect(
            try edited("[a]\nb.x = 1\n") { try $0.set(["a", "b", "x"], to: .integer(2)) } == "[a]\nb.x = 2\n")
        #expect(
            try edited("[[m]]\nx = 1\n[[m]]\nx = 2\n") { try $0.set(["n", "x"], to: .integer(3)) }
                == "[[m]]\nx = 1\n[[m]]\nx = 2\n\n[n]\nx = 3\n")
        var editor = try TOMLEditor("[[m]]\nx = 1\n")
        #expect(throws: TOMLEditRefusal.self) { try editor.set(["m", "x"], to: .integer(3)) }
    }
}
