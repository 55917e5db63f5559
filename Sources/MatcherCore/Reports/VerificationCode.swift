import Crypto
import OperatorText

/// Code with which a health officer vouches for a positive test: eight digits to be read out, or characters for a
/// letter or a short message. Pure.
package struct VerificationCode: Hashable, Sendable {
    package enum Form: String, CaseIterable, Sendable {
        /// Eight digits, 26 bits. Only limited tries and a short life keep it from being guessed.
        case short
        /// Twenty characters, 100 bits, and one that checks them.
        case long
    }

    package let form: Form
    /// Digits or characters without separators.
    package let text: String

    private static let digits = 8
    private static let characters = 20
    /// Letters and digits that are not mistaken for one another: without 0, O, 1 and I.
    private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)
    private static let longestInput = 64

    private init(_ form: Form, _ characters: some Sequence<UInt8>) {
        self.form = form
        text = String(decoding: Array(characters), as: UTF8.self)
    }

    /// Creates a code. All codes of a form are equally likely.
    package static func make(_ form: Form, using random: inout some RandomNumberGenerator) -> VerificationCode {
        switch form {
        case .short:
            return VerificationCode(.short, (0..<digits).map { _ in UInt8(ascii: "0") + digit(using: &random) })
        case .long:
            let values = (0..<characters).map { _ in byte(using: &random) & 31 }
            return VerificationCode(.long, (values + [check(values)]).map { alphabet[Int($0)] })
        }
    }

    /// Returns a random digit. The bytes from 250 are left out: with them, 0 to 5 would be likelier than 6 to 9.
    private static func digit(using random: inout some RandomNumberGenerator) -> UInt8 {
        while true {
            let byte = byte(using: &random)
            if byte < 250 { return byte % 10 }
        }
    }

    private static func byte(using random: inout some RandomNumberGenerator) -> UInt8 { random.next() }

    /// Reads a code as a person typed it: spaces, hyphens and case do not matter.
    ///
    /// - Returns: `nil` if it has the form of no code.
    package init?(_ typed: String) {
        guard typed.utf8.count <= Self.longestInput else { return nil }
        let bytes = typed.uppercased().utf8.filter { ![UInt8(ascii: " "), UInt8(ascii: "-"), 9, 10, 13].contains($0) }
        if bytes.count == Self.digits, bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            self.init(.short, bytes)
            return
        }
        let values = bytes.compactMap { byte in Self.alphabet.firstIndex(of: byte).map { UInt8($0) } }
        guard bytes.count == Self.characters + 1, values.count == bytes.count,
            Self.check(values.dropLast()) == values.last
        else { return nil }
        self.init(.long, bytes)
    }

    /// The code for people: `1234 5678`, or groups of three with hyphens between them.
    package var shown: String {
        let (size, separator) = form == .short ? (4, " ") : (3, "-")
        return stride(from: 0, to: text.count, by: size).map { String(text.dropFirst($0).prefix(size)) }
            .joined(separator: separator)
    }

    /// Returns what a store keeps of the code: 64 hexadecimal digits.
    ///
    /// - Parameter secret: a secret of the store. Without it, all codes of eight digits could be tried at once.
    package func hash(secret: String) -> String {
        HexadecimalText.of(
            HMAC<SHA256>.authenticationCode(
                for: Array("\(form.rawValue) \(text)".utf8), using: SymmetricKey(data: Array(secret.utf8))))
    }

    /// Returns the check value of 20 values: their weighted sum over the field of 32 elements. The weights are
    /// different powers of one element, so that one wrong character is detected, and so are two that changed places.
    private static func check(_ values: some Sequence<UInt8>) -> UInt8 {
        values.reduce(0) { sum, value in multiplied(sum ^ value) }
    }

    /// Returns the product of an element and x, modulo x^5 + x^2 + 1.
    private static func multiplied(_ value: UInt8) -> UInt8 {
        value & 16 == 0 ? value << 1 : (value << 1 ^ 0b10_0101) & 31
    }
}

/// Descriptions without the code, for the case that one gets into a log.
extension VerificationCode: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "a \(form.rawValue) verification code" }
    package var debugDescription: String { description }
}
