/// One line from a module whose firmware speaks AT.
package enum ModuleReply: Equatable, Sendable {
    /// `OK`, with what follows it.
    case ok(String)
    case error(RS9116ErrorCode)
    /// `bt_loaded`: the Bluetooth stack is up.
    case bluetoothLoaded
    /// What the module heard; `nil` for a report that can't be read, or isn't whole.
    case report(ModuleReception?)
    /// Any other unasked-for `AT+RSI...` line.
    case event(String)
    /// Anything else: noise, or texts of the boot loader.
    case text(String)
}

/// Cuts a byte stream into lines and says what each one is. Nothing that a module sends can make it fail.
package struct ModuleReplyParser: Sendable {
    private var line: [UInt8] = []
    private var isOverlong = false

    /// Longer lines are noise.
    private static let longestLine = 1024

    /// Takes bytes in; gives the lines that they complete.
    package mutating func receive(_ bytes: [UInt8]) -> [ModuleReply] {
        var replies: [ModuleReply] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                let rest = isOverlong ? [] : finish(&replies)
                line.removeAll(keepingCapacity: true)
                line += rest
                isOverlong = false
            } else if line.count < Self.longestLine {
                line.append(byte)
            } else {
                isOverlong = true
            }
        }
        return replies
    }

    /// A line has ended.
    ///
    /// - Returns: what belongs to the next one: a report can come in the middle of a reply.
    private func finish(_ replies: inout [ModuleReply]) -> [UInt8] {
        let starts = ModuleReception.starts(in: line)
        guard let first = starts.first, let last = starts.last else {
            // Of a report that was cut short there may be less than what tells it.
            if line.starts(with: "AT+RSIBT_".utf8), let reply = Self.reply(in: line[1...]) {
                replies += [.report(nil), reply]
            } else if let reply = Self.classify(line) {
                replies.append(reply)
            }
            return []
        }
        var rest: [UInt8] = []
        let before = line[..<first].filter { $0 != 0 }
        if !before.isEmpty {
            if before.last != UInt8(ascii: "\r"), Self.beginsReply(before) {
                rest = before
            } else if let reply = Self.classify(before) {
                // The end of the line before was lost.
                replies.append(reply)
            }
        }
        // Those that another one follows in the same line aren't whole.
        replies += starts.dropLast().map { _ in .report(nil) }
        let report = line[last...].filter { $0 != 0 && $0 != UInt8(ascii: "\r") }
        let reception = ModuleReception(bytes: report[...])
        replies.append(.report(reception))
        // A reply can follow one that was cut short. No report has these words in it.
        if reception == nil, let reply = Self.reply(in: line[last...]) { replies.append(reply) }
        return rest
    }

    private static func reply(in line: ArraySlice<UInt8>) -> ModuleReply? {
        let words = replyStarts.prefix(3)
        let start = line.indices.first { index in words.contains { line[index...].starts(with: $0) } }
        return start.flatMap { classify(Array(line[$0...])) }
    }

    private static let replyStarts = ["OK", "ERROR", "bt_loaded", "AT+RSI"].map { Array($0.utf8) }

    private static func beginsReply(_ bytes: [UInt8]) -> Bool {
        let bytes = bytes.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
        return replyStarts.contains { bytes.starts(with: $0.prefix(bytes.count)) && !bytes.isEmpty }
    }

    /// Whether there is an answer to a command among whole lines.
    static func hasAnswer(_ bytes: [UInt8]) -> Bool {
        var parser = ModuleReplyParser()
        return parser.receive(bytes).contains {
            switch $0 {
            case .ok, .error: true
            case .bluetoothLoaded, .report, .event, .text: false
            }
        }
    }

    private static func classify(_ raw: [UInt8]) -> ModuleReply? {
        var line = raw[...]
        // A NUL byte at the end of an error code is its upper byte, zero.
        while let last = line.last, last == UInt8(ascii: "\r") || last == 0 { line.removeLast() }
        while let first = line.first, first == 0 || first == UInt8(ascii: " ") || first == UInt8(ascii: "\r") {
            line.removeFirst()
        }
        if let rest = afterError(line) { return .error(errorCode(rest)) }
        // Replies can hold NUL bytes ("OK1610.2.5.2.0.4\0"). What is shown to a person later holds nothing that a terminal
        // obeys.
        let text = String(
            String.UnicodeScalarView(
                String(decoding: line.filter { $0 != 0 }, as: UTF8.self).unicodeScalars.map {
                    $0.properties.generalCategory == .control || $0.properties.generalCategory == .format ? "?" : $0
                }))
        if text.isEmpty { return nil }
        if text == "bt_loaded" { return .bluetoothLoaded }
        if text.hasPrefix("OK") { return .ok(String(text.dropFirst(2).drop { $0 == " " })) }
        if text.uppercased().hasPrefix("AT+RSI") { return .event(text) }
        return .text(text)
    }

    /// What follows the word `ERROR`, in which there may be NUL bytes; `nil` for another line. Behind it a NUL byte can
    /// be a part of the code.
    private static func afterError(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = line
        for letter in "ERROR".utf8 {
            rest = rest.drop { $0 == 0 }
            guard rest.popFirst() == letter else { return nil }
        }
        // A blank and digits follow, however many NUL bytes are before them.
        let visible = rest.drop { $0 == 0 }
        return visible.first == UInt8(ascii: " ") && visible.count >= 5 ? visible : rest
    }

    /// Bluetooth commands give a space and four hexadecimal digits; the others do too (`commonErrorsInASCII`), or one
    /// or two bytes, little-endian. No code's lower byte is that of a space.
    private static func errorCode(_ rest: ArraySlice<UInt8>) -> RS9116ErrorCode {
        if rest.first == UInt8(ascii: " ") {
            let digits = String(decoding: rest.dropFirst().filter { $0 != 0 }, as: UTF8.self)
            return RS9116ErrorCode(rawValue: UInt16(digits.prefix(4), radix: 16) ?? 0)
        }
        let bytes = Array(rest.prefix(2))
        return RS9116ErrorCode(rawValue: UInt16(bytes.first ?? 0) | (bytes.count > 1 ? UInt16(bytes[1]) << 8 : 0))
    }
}
