import struct FoundationEssentials.Data
import class FoundationEssentials.JSONDecoder
import class FoundationEssentials.JSONEncoder

/// Reply of a worker about a picture: one JSON object with findings.
///
/// A picture can have taken over the programs that opened it. So a reply is refused as a whole if anything in it is not
/// as this program writes it. What it says is a suggestion even then.
package enum PictureReply {
    /// Maximum length in bytes.
    package static let longest = 256 << 10
    /// 2020-01-01: no earlier day is read from a picture.
    private static let earliest: Int64 = 18_262

    package static func encode(_ findings: PictureFindings) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A text without an object is refused by whoever reads it.
        return (try? encoder.encode(Document(findings))).map(Array.init) ?? []
    }

    /// Parses a reply.
    ///
    /// - Parameter latest: the latest day on which the sample can have been taken, in days since 1970.
    /// - Throws: `PictureReplyError`.
    package static func parse(_ bytes: [UInt8], latest: Int64) throws(PictureReplyError) -> PictureFindings {
        guard !bytes.isEmpty else { throw PictureReplyError("it is empty") }
        guard bytes.count <= longest else { throw PictureReplyError("it has more than \(longest) bytes") }
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)) else {
            throw PictureReplyError("it is not the JSON object of a worker")
        }
        guard document.codes.count <= PictureCode.mostCodes else {
            throw PictureReplyError("it has \(document.codes.count) codes")
        }
        for code in document.codes where !PictureCode.areContents(code) {
            throw PictureReplyError("a code in it is empty, too long, or has several lines")
        }
        var suggestion = ResultSuggestion()
        if let text = document.result {
            guard let outcome = TestOutcome(rawValue: text) else {
                throw PictureReplyError("its result is none of positive, negative and unclear")
            }
            suggestion.outcome = outcome
        }
        if let day = document.testDay {
            guard day >= earliest, day <= latest else { throw PictureReplyError("its day is outside of the bounds") }
            suggestion.testDay = day
        }
        if let text = document.orderNumber {
            guard let number = ResultText.orderNumber(text) ?? NumberGroups.number(text) else {
                throw PictureReplyError("its order number has another form")
            }
            suggestion.orderNumber = number
        }
        return PictureFindings(
            codes: document.codes, suggestion: suggestion, isIncomplete: document.isIncomplete)
    }

    private struct Document: Codable {
        var codes: [String]
        var isIncomplete: Bool
        var orderNumber: String?
        var result: String?
        var testDay: Int64?

        private enum CodingKeys: String, CodingKey {
            case codes, isIncomplete, orderNumber, result, testDay
        }

        init(_ findings: PictureFindings) {
            codes = findings.codes
            isIncomplete = findings.isIncomplete
            orderNumber = findings.suggestion.orderNumber?.text
            result = findings.suggestion.outcome?.rawValue
            testDay = findings.suggestion.testDay
        }

        init(from decoder: any Decoder) throws {
            let names = try decoder.container(keyedBy: AnyKey.self)
            for name in names.allKeys where CodingKeys(stringValue: name.stringValue) == nil {
                throw DecodingError.dataCorruptedError(forKey: name, in: names, debugDescription: "unknown")
            }
            let values = try decoder.container(keyedBy: CodingKeys.self)
            codes = try values.decode([String].self, forKey: .codes)
            isIncomplete = try values.decode(Bool.self, forKey: .isIncomplete)
            orderNumber = try values.decodeIfPresent(String.self, forKey: .orderNumber)
            result = try values.decodeIfPresent(String.self, forKey: .result)
            testDay = try values.decodeIfPresent(Int64.self, forKey: .testDay)
        }
    }

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}

/// A reply of a worker that is refused.
package struct PictureReplyError: Error, Hashable {
    /// Problem with the reply.
    package var reason: String

    init(_ reason: String) { self.reason = reason }
}
