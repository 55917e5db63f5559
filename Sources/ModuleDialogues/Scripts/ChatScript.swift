/// A script for chat(8), version 1.22 or later (Debian's package ppp).
///
/// chat cannot branch, wait for less than a second, or report what it has received.
package struct ChatScript {
    private let script: DialogueScript
    private let fileName: String
    private let exportCommand: [String]

    package init(_ script: DialogueScript, fileName: String, exportCommand: [String]) {
        self.script = script
        self.fileName = fileName
        self.exportCommand = exportCommand
    }

    package var text: String { (head + body).map { $0 + "\n" }.joined() }

    /// Returns the shell command that runs the script, with `PORT` for the serial port.
    static func shellCommand(baudRate: Int, file: String) -> String {
        "stty -F PORT \(baudRate) raw -echo -crtscts clocal && /usr/sbin/chat -s -f \(file) <PORT >PORT"
    }

    private var head: [String] {
        let comment =
            [fileName, ""] + script.purpose + [
                "", "Run it (Debian: apt install ppp), with your port for PORT, as listed by `ls /dev/serial/by-id/*`:",
                "  " + Self.shellCommand(baudRate: script.baudRate, file: fileName),
                "With -v chat logs every byte. Exit status 0: success; 3: no answer; 4: rejected by the module.", "",
                "Regenerate it with:",
            ] + exportCommand.map { "  " + $0 }
        return comment.map { $0.isEmpty ? "#" : "# " + $0 } + [""]
    }

    private var body: [String] {
        ["ECHO ON"] + script.steps.flatMap { lines($0) } + ["SAY " + Self.said("\n\(script.success)\n")]
    }

    private func lines(_ step: DialogueScript.Step) -> [String] {
        switch step {
        case .tell(let text): ["SAY " + Self.said("\n-- \(text)\n")]
        case .exchange(let exchange): lines(exchange)
        case .pause(let duration): ["TIMEOUT \(Self.seconds(duration) + 5)", "'' " + Self.pause(duration) + #"\c"#]
        // Waits for a string that no module sends.
        case .listen(let seconds): ["TIMEOUT \(seconds)", #"\001-\c- \c"#]
        case .abort(let word): ["ABORT " + Self.escaped(word)]
        case .stopAborting(let word): ["CLR_ABORT " + Self.escaped(word)]
        }
    }

    /// Returns the lines of an exchange. The first attempt is sent without waiting, each further one if no answer has
    /// arrived: a chain of `expect-send-expect`. A chain that ends with a send succeeds without an answer.
    private func lines(_ exchange: DialogueScript.Exchange) -> [String] {
        let attempts = exchange.attempts.flatMap { Array(repeating: $0, count: max(1, $0.times)) }
        guard let first = attempts.first else { return [] }
        var chain = Self.escaped(first.answer)
        for attempt in attempts.dropFirst() { chain += "-" + Self.sent(attempt) + "-" + Self.escaped(attempt.answer) }
        if exchange.isOptional { chain += #"-\c-"# }
        let lineEnd = exchange.readsLine ? [#"\n \c"#] : []
        return ["TIMEOUT \(exchange.patience)", "'' " + Self.sent(first), chain + #" \c"#] + lineEnd
    }

    private static func sent(_ attempt: DialogueScript.Attempt) -> String {
        let text =
            switch attempt.sent {
            case .nothing: ""
            case .byte(let byte): escaped(byte)
            case .text(let text): escaped(text)
            case .line(let text): escaped(text) + #"\r\n"#
            }
        // Without `\c`, chat appends a CR.
        return pause(attempt.pause) + text + #"\c"#
    }

    /// Returns the escapes for a pause. `\d` is one second. `\p` is 10 ms in fact, although the manual says 100 ms.
    private static func pause(_ duration: Duration) -> String {
        let milliseconds = Int(duration.components.attoseconds / 1_000_000_000_000_000)
        return String(repeating: #"\d"#, count: seconds(duration))
            + String(repeating: #"\p"#, count: (milliseconds + 9) / 10)
    }

    private static func seconds(_ duration: Duration) -> Int { Int(min(max(0, duration.components.seconds), 60)) }

    /// Returns a word that chat takes for exactly these characters. It contains nothing that has a meaning in chat, its
    /// chains or its lines.
    private static func escaped(_ text: String) -> String { text.utf8.map { escaped($0) }.joined() }

    private static func escaped(_ byte: UInt8) -> String {
        let character = Character(UnicodeScalar(byte))
        if byte < 0x80, character.isLetter || character.isNumber || "+_=?,.:/|".contains(character) {
            return String(character)
        }
        switch byte {
        case 0x00: return #"\N"#
        case 0x0A: return #"\n"#
        case 0x0D: return #"\r"#
        case 0x20: return #"\s"#
        default:
            let digits = String(byte, radix: 8)
            return #"\"# + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        }
    }

    /// Returns a quoted text for `SAY`.
    private static func said(_ text: String) -> String {
        "\""
            + text.map { character in
                switch character {
                case "\n": #"\n"#
                case "\"", "\\", "^": "\\" + String(character)
                default: String(character)
                }
            }.joined() + "\""
    }
}
