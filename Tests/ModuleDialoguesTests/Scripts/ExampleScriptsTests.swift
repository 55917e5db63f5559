import TestValues
import Testing

@testable import ModuleDialogues

/// The scripts that are checked in.
@Suite struct ExampleScriptsTests {
    private static let directory = "firmware-scripts"

    @Test("The checked-in scripts are what the generator writes", arguments: ScriptedDialogue.examples.map(\.name))
    func golden(name: String) throws {
        let file = try #require(ScriptedDialogue.examples.first { $0.name == name })
        let checkedIn = try Repository.read(Self.directory + "/" + name)
        #expect(
            String(decoding: checkedIn, as: UTF8.self) == file.text,
            "\(name) is out of date; regenerate all with: make scripts")
    }

    @Test("They say what they do, and how to run and to regenerate them, and fit into both programs' limits")
    func contents() {
        #expect(ScriptedDialogue.examples.count == 14)
        for file in ScriptedDialogue.examples {
            let lines = file.text.split(separator: "\n")
            #expect(lines.first?.dropFirst(2) == file.name[...])
            #expect(file.text.contains("beacon-gateway export-script --format "))
            #expect(
                file.text.contains(file.name.hasSuffix(".chat") ? "chat -s -f \(file.name) <PORT" : "Control > Macro"))
            let longest = file.name.hasSuffix(".chat") ? 1023 : 255
            #expect(lines.allSatisfy { $0.utf8.count <= longest })
            #expect(file.text.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        }
    }

    @Test("A dialogue is found by its module and name only")
    func names() {
        for dialogue in ScriptedDialogue.allCases {
            #expect(ScriptedDialogue(dialogue.module, dialogue.name) == dialogue)
        }
        #expect(ScriptedDialogue(.hm10, "stop") == nil)
        #expect(ScriptedDialogue(.rs9116, "") == nil)
    }

    @Test("Every byte that a script may send is one that chat takes for itself")
    func escaping() {
        let script = DialogueScript(
            purpose: [], baudRate: 9600,
            steps: [
                .exchange(
                    .init(attempts: [.init(sent: .line("a-b^c@d\\e #'\""), answer: "- \u{1}")], patience: 1)),
                .tell("\"\\^'"),
            ], success: "")
        let text = ChatScript(script, fileName: "x", exportCommand: []).text
        #expect(text.contains(#"a\055b\136c\100d\134e\s\043\047\042\r\n\c"#))
        #expect(text.contains(#"\055\s\001 \c"#))
        #expect(text.contains(#"SAY "\n-- \"\\\^'\n""#))
    }
}
