import ResultPictures

/// What programs read in pictures: suggestions are within their bounds.
enum PictureTextCheck: ParserCheck {
    static let name = "picture-text"

    private static let latest: Int64 = 20_000
    /// 2020-01-01.
    private static let earliest: Int64 = 18_262

    static func violation(for bytes: [UInt8]) -> String? {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { TextRow(String($0)) }
        for rows in [RecognisedPage.rows(bytes), lines] {
            let found = ResultText.suggestion(rows, latest: latest)
            if let day = found.testDay, !(earliest...latest).contains(day) { return "a day outside of the bounds" }
            if let number = found.orderNumber, !(5...32).contains(number.text.utf8.count) { return "a long number" }
            if found.merged(with: found) != found { return "a reading contradicts itself" }
        }
        let codes = PictureCode.codes(bytes)
        return codes.count > 8 || codes.contains { $0.text.count > 203 } ? "codes outside of the bounds" : nil
    }
}
