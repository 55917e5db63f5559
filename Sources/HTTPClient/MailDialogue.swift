import CCurl
import SystemIO

/// The dialogue with a mail server so far: what is left to send, and the server's refusal. Belongs to the thread of its
/// transfer.
final class MailDialogue {
    private let message: [UInt8]
    private var sent = 0
    private let isCancelled: LockedValue<Bool>
    /// Last line with which the server refused something, without its end. A farewell may follow it.
    private(set) var refusal = ""
    /// Whether the server asked for the content.
    private(set) var hasBegunContent = false

    /// Maximum number of bytes that are kept of an answer, and that a server can answer.
    private static let longestAnswer = 500
    private static let mostAnswers = 65_536
    private var answered = 0

    init(_ message: [UInt8], isCancelled: LockedValue<Bool>) {
        self.message = message
        self.isCancelled = isCancelled
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> MailDialogue? {
        context.map { Unmanaged<MailDialogue>.fromOpaque($0).takeUnretainedValue() }
    }

    var goesOn: Bool { !isCancelled.withLock { $0 } }

    /// Copies the next part of the message.
    ///
    /// - Returns: the number of bytes; 0 at the end.
    func give(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes, count > 0 else { return 0 }
        let part = message[sent..<min(sent + count, message.count)]
        UnsafeMutableRawBufferPointer(start: bytes, count: count).copyBytes(from: part)
        sent += part.count
        return part.count
    }

    /// Takes a line of the server.
    ///
    /// - Returns: the number of bytes taken. Any value other than `count` ends the dialogue.
    func take(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> Int {
        guard let bytes, count <= Self.mostAnswers - answered else { return 0 }
        answered += count
        let line = UnsafeRawBufferPointer(start: bytes, count: count)
        switch line.first {
        case UInt8(ascii: "4"), UInt8(ascii: "5"):
            let text = line.prefix(Self.longestAnswer).prefix { $0 != 0x0D && $0 != 0x0A }
            refusal = String(decoding: text, as: UTF8.self)
        default:
            if line.starts(with: "354".utf8) { hasBegunContent = true }
        }
        return count
    }
}
