import ResultPictures

/// The programs that are run on one picture.
struct PictureWork {
    private static let seconds = 30
    private static let mostCodeBytes = 64 << 10
    /// A dense page has 1000 words, each a line of 60 bytes.
    private static let mostTextBytes = 256 << 10

    private let picture: StrippedPicture
    private let latest: Int64
    private let deadline: ContinuousClock.Instant
    private var isIncomplete = false

    init(picture: StrippedPicture, latest: Int64) {
        self.picture = picture
        self.latest = latest
        deadline = ContinuousClock.now + .seconds(Self.seconds)
    }

    /// Looks for codes, and then for text until a result is found.
    mutating func readout() throws(PictureReadingError) -> PictureReadout {
        // The format is said, so that no other decoder is tried.
        let file = picture.header.format.rawValue + ":" + PictureSandbox.picture
        let codes = try output(
            ["/usr/bin/zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", file], Self.mostCodeBytes)
        var suggestion = ResultSuggestion()
        for mode in modes where suggestion.outcome == nil {
            let words = try output(
                [
                    "/usr/bin/tesseract", PictureSandbox.picture, "stdout", "-l", "eng+deu", "--psm", mode, "tsv",
                ], Self.mostTextBytes)
            suggestion = suggestion.merged(
                with: ResultText.suggestion(RecognisedPage.rows(words), latest: latest))
        }
        return PictureReadout(
            header: picture.header, codes: PictureCode.codes(codes), suggestion: suggestion,
            isIncomplete: isIncomplete)
    }

    /// How tesseract looks at the page: as one block of text, or with a search for its direction, which takes longer.
    private var modes: [String] { picture.header.orientation > 2 ? ["1", "6"] : ["6", "1"] }

    /// Runs a program. What it printed before it was killed is not used.
    private mutating func output(_ command: [String], _ limit: Int) throws(PictureReadingError) -> [UInt8] {
        guard ContinuousClock.now < deadline else {
            isIncomplete = true
            return []
        }
        let output = try PictureSandbox.run(command, on: picture.bytes, limit: limit, until: deadline)
        // 4: zbarimg found no code.
        let isComplete = !output.isCut && [0, 4].contains(output.status)
        isIncomplete = isIncomplete || !isComplete
        return isComplete ? output.bytes : []
    }
}
