import ResultPictures

/// The programs that are run on one picture.
struct PictureWork {
    private static let mostCodeBytes = 64 << 10
    /// A dense page has 1000 words, each a line of 60 bytes.
    private static let mostTextBytes = 256 << 10

    private let picture: StrippedPicture
    private let latest: Int64
    private let enclosure: PictureEnclosure
    private let deadline: ContinuousClock.Instant
    private var isIncomplete = false

    init(
        picture: StrippedPicture, latest: Int64, in enclosure: PictureEnclosure,
        until deadline: ContinuousClock.Instant
    ) {
        self.picture = picture
        self.latest = latest
        self.enclosure = enclosure
        self.deadline = deadline
    }

    /// Looks for codes, and then for text until a result is found.
    mutating func findings() throws(PictureReadingError) -> PictureFindings {
        // The format is said, so that no other decoder is tried.
        let file = picture.header.format.rawValue + ":" + enclosure.pictureForImageMagick
        let codes = try output(
            ["/usr/bin/zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", file], Self.mostCodeBytes)
        var suggestion = ResultSuggestion()
        for mode in modes where suggestion.outcome == nil {
            let words = try output(
                [
                    "/usr/bin/tesseract", enclosure.picture, "stdout", "-l", "eng+deu", "--psm", mode, "tsv",
                ], Self.mostTextBytes)
            suggestion = suggestion.merged(
                with: ResultText.suggestion(RecognisedPage.rows(words), latest: latest))
        }
        return PictureFindings(
            codes: PictureCode.contents(codes), suggestion: suggestion, isIncomplete: isIncomplete)
    }

    /// Page segmentation modes of tesseract, in the order in which they are tried: 6 takes the page as one block of text,
    /// 1 looks for its direction, which takes longer.
    private var modes: [String] { picture.header.orientation > 2 ? ["1", "6"] : ["6", "1"] }

    /// Runs a program. What it printed before it was killed is not used.
    private mutating func output(_ command: [String], _ limit: Int) throws(PictureReadingError) -> [UInt8] {
        guard ContinuousClock.now < deadline else {
            isIncomplete = true
            return []
        }
        let output = try enclosure.run(command, on: picture.bytes, limit: limit, until: deadline)
        // 4: zbarimg found no code.
        let isComplete = !output.isCut && [0, 4].contains(output.status)
        isIncomplete = isIncomplete || !isComplete
        return isComplete ? output.bytes : []
    }
}
