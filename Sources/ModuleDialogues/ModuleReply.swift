/// One line from a module whose firmware accepts AT commands.
package enum ModuleReply: Equatable, Sendable {
    /// `OK`, with the text that follows it.
    case ok(String)
    case error(RS9116ErrorCode)
    /// `bt_loaded`: the Bluetooth stack is up.
    case bluetoothLoaded
    /// A received advertisement; `nil` for a report that is malformed or incomplete.
    case report(ModuleReception?)
    /// Any other unsolicited `AT+RSI...` line.
    case event(String)
    /// Any other text: noise or output of the boot loader.
    case text(String)
}

/// Splits a byte stream into lines and classifies them. No input can make it fail.
package struct ModuleReplyParser: Sendable {
    private var line: [UInt8] = []
    private var isOverlong = false

    /// Maximum length of a line; longer lines are noise.
    private static let longestLine = 1024

    /// Takes bytes and returns the lines that they complete.
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

    /// Handles the end of a line.
    ///
    /// - Returns: the bytes that belong to the next line, because a report can interrupt a reply.
    private func finish(_ replies: inout [ModuleReply]) -> [UInt8] {
        let starts = ModuleReception.starts(in: line)
        guard let first = starts.first, let last = starts.last else {
            // A truncated report may lack the part that identifies it as one.
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
                // The end of the previous line was lost.
                replies.append(reply)
            }
        }
        // A report that is followed by another one in the same line is incomplete.
        replies += starts.dropLast().map { _ in .report(nil) }
        let report = line[last...].filter { $0 != 0 && $0 != UInt8(ascii: "\r") }
        let reception = ModuleReception(bytes: report[...])
        replies.append(.report(reception))
        // A reply can follow a truncated report. No complete report contains these words.
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

    /// Whether the complete lines in `bytes` include an answer to a command.
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
        // Replies can contain NUL bytes ("OK1610.2.5.2.0.4\0"). The text may be displayed later, so it must not contain
        // terminal control sequences.
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

    /// Returns what follows the word `ERROR`, which may contain NUL bytes; `nil` for any other line. A NUL byte after
    /// the word can be part of the code.
    private static func afterError(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var rest = line
        for letter in "ERROR".utf8 {
            rest = rest.drop { $0 == 0 }
            guard rest.popFirst() == letter else { return nil }
        }
        // A space and digits follow, preceded by any number of NUL bytes.
        let visible = rest.drop { $0 == 0 }
        return visible.first == UInt8(ascii: " ") && visible.count >= 5 ? visible : rest
    }

    /// Parses an error code. Bluetooth commands give a space and four hexadecimal digits. Other commands do so too
    /// (`commonErrorsInASCII`), or give one or two bytes, little-endian. No code has the lower byte of a space.
    private static func errorCode(_ rest: ArraySlice<UInt8>) -> RS9116ErrorCode {
        if rest.first == UInt8(ascii: " ") {
            let digits = String(decoding: rest.dropFirst().filter { $0 != 0 }, as: UTF8.self)
            return RS9116ErrorCode(rawValue: UInt16(digits.prefix(4), radix: 16) ?? 0)
        }
        let bytes = Array(rest.prefix(2))
        return RS9116ErrorCode(rawValue: UInt16(bytes.first ?? 0) | (bytes.count > 1 ? UInt16(bytes[1]) << 8 : 0))
    }
}
