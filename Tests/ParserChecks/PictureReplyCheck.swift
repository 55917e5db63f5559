import ResultPictures

/// Replies about a picture: what is accepted is within its bounds, and is what this program would write.
enum PictureReplyCheck: ParserCheck {
    static let name = "picture-reply"

    private static let latest: Int64 = 20_000
    /// 2020-01-01.
    private static let earliest: Int64 = 18_262

    static func violation(for bytes: [UInt8]) -> String? {
        if let request = PictureRequest(bytes), request.bytes != bytes { return "another header" }
        let findings: PictureFindings
        do throws(PictureReplyError) {
            findings = try PictureReply.parse(bytes, latest: latest)
        } catch {
            return error.reason.isEmpty ? "an error without a text" : nil
        }
        let suggestion = findings.suggestion
        if let day = suggestion.testDay, !(earliest...latest).contains(day) { return "a day outside of the bounds" }
        if let number = suggestion.orderNumber, !(5...32).contains(number.text.utf8.count) { return "a long number" }
        guard findings.codes.count <= 8, findings.codes.allSatisfy({ PictureCode($0).text.count <= 203 }) else {
            return "codes outside of the bounds"
        }
        let again = try? PictureReply.parse(PictureReply.encode(findings), latest: latest)
        return again == findings ? nil : "writing it again changes it"
    }
}
