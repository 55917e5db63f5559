import TestValues
import Testing

@testable import MatcherCore

@Suite("Verification codes") struct VerificationCodeTests {
    @Test(arguments: VerificationCode.Form.allCases)
    func `A code is read as people write it`(form: VerificationCode.Form) {
        var random = SeededGenerator("verification codes")
        for _ in 0..<200 {
            let code = VerificationCode.make(form, using: &random)
            #expect(code.form == form && VerificationCode(code.shown) == code, "\(random.comment)")
            #expect(VerificationCode(code.text) == code)
            let sloppy = code.text.map { "\($0) -" }.joined()
            #expect(VerificationCode(sloppy) == code)
            #expect(VerificationCode("\t\(code.shown.lowercased())\r\n") == code)
        }
    }

    @Test func `A short code is shown in two groups of four, a long one in seven of three`() {
        #expect(VerificationCode("12345678")?.shown == "1234 5678")
        var random = SeededGenerator(seed: 1)
        let long = VerificationCode.make(.long, using: &random)
        #expect(long.shown.split(separator: "-").map(\.count) == [3, 3, 3, 3, 3, 3, 3])
        #expect(!long.text.contains { "0O1I".contains($0) })
    }

    @Test(arguments: [
        "", "1234567", "123456789", "1234 567a", "１２３４５６７８", "ABC-DEF", "ß", "1234\u{0}5678",
        String(repeating: "1", count: 21), String(repeating: " ", count: 60) + "12345678",
    ])
    func `What has the form of no code is none`(text: String) {
        #expect(VerificationCode(text) == nil)
    }

    @Test func `One wrong character of a long code is found, and so are two that changed places`() {
        var random = SeededGenerator("long codes")
        for _ in 0..<10 {
            let right = Array(VerificationCode.make(.long, using: &random).text)
            for place in right.indices {
                for character in "ABCDEFGHJKLMNPQRSTUVWXYZ23456789" where character != right[place] {
                    var wrong = right
                    wrong[place] = character
                    #expect(VerificationCode(String(wrong)) == nil, "\(random.comment)")
                }
                for other in right.indices where right[other] != right[place] {
                    var wrong = right
                    wrong.swapAt(place, other)
                    #expect(VerificationCode(String(wrong)) == nil, "\(random.comment)")
                }
            }
        }
    }

    /// Gives each byte in turn.
    private struct Bytes: RandomNumberGenerator {
        var number: UInt64 = 0

        mutating func next() -> UInt64 {
            defer { number += 1 }
            // Whichever byte of the number is used.
            return (number & 0xFF) * 0x0101_0101_0101_0101
        }
    }

    // 256 is no multiple of 10: the last six bytes would make the first digits likelier.
    @Test func `All digits and characters are equally likely`() {
        var bytes = Bytes()
        var digits: [Character: Int] = [:]
        // 250 of 256 bytes are used, eight for each code.
        for _ in 0..<(250 * 4 / 8) {
            for digit in VerificationCode.make(.short, using: &bytes).text { digits[digit, default: 0] += 1 }
        }
        #expect(digits.count == 10 && digits.values.allSatisfy { $0 == 100 }, "\(digits)")
        bytes = Bytes()
        var characters: [Character: Int] = [:]
        for _ in 0..<(256 * 5 / 20) {
            for character in VerificationCode.make(.long, using: &bytes).text.prefix(20) {
                characters[character, default: 0] += 1
            }
        }
        #expect(characters.count == 32 && characters.values.allSatisfy { $0 == 40 }, "\(characters)")
    }

    @Test func `What is stored differs by secret and form, and the description doesn't have the code`() throws {
        let code = try #require(VerificationCode("1234 5678"))
        let other = try #require(VerificationCode("1234 5679"))
        #expect(code.hash(secret: "a").count == 64 && code.hash(secret: "a") == code.hash(secret: "a"))
        #expect(Set([code.hash(secret: "a"), code.hash(secret: "b"), other.hash(secret: "a")]).count == 3)
        #expect(!"\(code)".contains("1234") && !String(reflecting: code).contains("1234"))
    }
}
