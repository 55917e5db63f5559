/// A macro for Tera Term. It uses only commands of version 4 (Tera Term help, "TTL command reference").
struct TeraTermMacro {
    private let script: DialogueScript
    private let fileName: String
    private let exportCommand: [String]

    init(_ script: DialogueScript, fileName: String, exportCommand: [String]) {
        self.script = script
        self.fileName = fileName
        self.exportCommand = exportCommand
    }

    var text: String {
        var aborts: [String] = []
        var body: [String] = []
        for (number, step) in script.steps.enumerated() { body += lines(step, number, &aborts) }
        return (head + start + body + end).map { $0 + "\n" }.joined()
    }

    private var head: [String] {
        let lineEnd =
            script.sendsLines
            ? [
                "Setup > Terminal > New-line > Transmit must be CR+LF: it sets the line end of sendln."
            ] : []
        let comment =
            [fileName, ""] + script.purpose + [
                "", "Run it in Tera Term 4 or later, connected to the module's port: Control > Macro.",
                "Setup > Serial port: \(script.baudRate) baud, 8 data bits, no parity, 1 stop bit, no flow control.",
            ] + lineEnd + ["", "Regenerate it with:"] + exportCommand.map { "  " + $0 }
        return comment.map { $0.isEmpty ? ";" : "; " + $0 } + [""]
    }

    private var start: [String] {
        [
            "testlink", "if result = 2 goto connected", "; Or let the macro do it, with the number of the COM port:",
            "; connect '/C=3 /BAUD=\(script.baudRate)'",
            "messagebox 'Connect to the port of the module first.' \(title)", "end", "", ":connected", "flushrecv",
        ]
    }

    private var end: [String] {
        [
            "", "messagebox \(Self.quoted(script.success)) \(title)", "end", "", ":silent",
            "messagebox 'No answer, or an unexpected one.' step", "end", "", ":refused",
            "messagebox 'The module rejected the command: see its ERROR in the terminal.' step", "end",
        ]
    }

    private var title: String { Self.quoted(fileName) }

    private func lines(_ step: DialogueScript.Step, _ number: Int, _ aborts: inout [String]) -> [String] {
        switch step {
        case .tell(let text): return ["", "step = " + Self.quoted(text)]
        case .exchange(let exchange): return lines(exchange, number, aborts)
        case .pause(let duration): return ["mpause \(Self.milliseconds(duration))"]
        case .listen(let seconds): return ["pause \(seconds)"]
        case .abort(let word): aborts.append(word)
        case .stopAborting(let word): aborts.removeAll { $0 == word }
        }
        return []
    }

    private func lines(_ exchange: DialogueScript.Exchange, _ number: Int, _ aborts: [String]) -> [String] {
        let done = "answered\(number)"
        var lines = ["timeout = \(exchange.patience)"]
        for (index, attempt) in exchange.attempts.enumerated() {
            let again = "again\(number)_\(index)"
            if attempt.times > 1 { lines += ["tries = 0", ":" + again] }
            if attempt.pause > .zero { lines.append("mpause \(Self.milliseconds(attempt.pause))") }
            lines += Self.sent(attempt.sent)
            lines.append(
                (["wait", Self.quoted(attempt.answer)] + aborts.map { Self.quoted($0) }).joined(separator: " "))
            let isLast = index == exchange.attempts.count - 1 && attempt.times <= 1
            if !(isLast && exchange.isOptional) { lines.append("if result = 1 goto \(done)") }
            if !aborts.isEmpty { lines.append("if result > 1 goto refused") }
            if attempt.times > 1 {
                lines += ["tries = tries + 1", "if tries < \(attempt.times) goto \(again)"]
            }
        }
        if !exchange.isOptional { lines.append("goto silent") }
        if lines.contains(where: { $0.hasSuffix("goto " + done) }) { lines.append(":" + done) }
        if exchange.readsLine { lines += ["wait #10", "if result = 0 goto silent"] }
        return lines
    }

    private static func sent(_ transmission: DialogueScript.Transmission) -> [String] {
        switch transmission {
        case .nothing: []
        case .byte(let byte): ["send $" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)]
        case .text(let text): ["send " + quoted(text)]
        case .line(let text): ["sendln " + quoted(text)]
        }
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(min(max(0, seconds), 60)) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }

    /// Returns a string constant: plain characters in quotes, all others by their number.
    private static func quoted(_ text: String) -> String {
        var result = ""
        var isOpen = false
        for byte in text.utf8 {
            let isPlain = (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "'")
            if isPlain != isOpen {
                result += "'"
                isOpen = isPlain
            }
            result += isPlain ? String(UnicodeScalar(byte)) : "#\(byte)"
        }
        return result.isEmpty ? "''" : result + (isOpen ? "'" : "")
    }
}

extension DialogueScript {
    fileprivate var sendsLines: Bool {
        steps.contains { step in
            guard case .exchange(let exchange) = step else { return false }
            return exchange.attempts.contains { if case .line = $0.sent { true } else { false } }
        }
    }
}
