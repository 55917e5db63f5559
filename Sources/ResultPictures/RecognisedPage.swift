/// The words that tesseract read, put into rows by their places.
///
/// tesseract puts labels and values of a form into different columns, and rows of a photo into each other. The
/// direction of reading is that of its words: a page that is turned or tilted is followed.
package enum RecognisedPage {
    private static let mostWords = 4000
    private static let longestWord = 100
    private static let columns = 12
    /// Distance of two rows, in heights of letters, from which they are different rows.
    private static let rowDistance = 0.6

    private struct Word {
        /// Page, block, paragraph and line, by tesseract's count.
        var line: ArraySlice<Substring>
        var x: Double
        var y: Double
        var width: Double
        var height: Double
        var confidence: Double
        var text: String
    }

    /// Reads tesseract's output in the format TSV. Lines in another format are left out.
    package static func rows(_ tsv: [UInt8]) -> [TextRow] {
        let words = Self.words(tsv)
        guard !words.isEmpty else { return [] }
        let (across, down) = direction(words)
        let size = letterHeight(words)
        var rows: [(middle: Double, words: [TextRow.Word])] = []
        let placed = words.map { word in
            let middle = (word.x * across + word.y * down) / size
            let half = (word.width * abs(across) + word.height * abs(down)) / 2 / size
            return (
                row: (word.y * across - word.x * down) / size,
                word: TextRow.Word(
                    word.text, confidence: word.confidence, start: middle - half, end: middle + half)
            )
        }
        for (row, word) in placed.sorted(by: { $0.row < $1.row }) {
            if let last = rows.indices.last, row - rows[last].middle <= rowDistance {
                let count = Double(rows[last].words.count)
                rows[last].middle = (rows[last].middle * count + row) / (count + 1)
                rows[last].words.append(word)
            } else {
                rows.append((row, [word]))
            }
        }
        return rows.map { row in TextRow(words: row.words.sorted { $0.start < $1.start }) }
    }

    private static func words(_ tsv: [UInt8]) -> [Word] {
        var words: [Word] = []
        for line in tsv.split(separator: 0x0A) {
            let fields = String(decoding: line, as: UTF8.self).split(
                separator: "\t", omittingEmptySubsequences: false)
            // Level 5 is a word.
            guard fields.count == columns, fields[0] == "5", let left = number(fields[6]), let top = number(fields[7]),
                let width = number(fields[8]), let height = number(fields[9]), let confidence = Double(fields[10])
            else { continue }
            let text = String(fields[11].filter { !$0.isWhitespace }.prefix(longestWord))
            guard !text.isEmpty, (0...100).contains(confidence) else { continue }
            words.append(
                Word(
                    line: fields[1..<5], x: left + width / 2, y: top + height / 2, width: width, height: height,
                    confidence: confidence, text: text))
            guard words.count < mostWords else { break }
        }
        return words
    }

    private static func number(_ text: Substring) -> Double? {
        Int(text).flatMap { (0...PictureLimits.side).contains($0) ? Double($0) : nil }
    }

    /// Returns the direction of reading, a vector of length 1: the sum of the steps from word to word.
    private static func direction(_ words: [Word]) -> (across: Double, down: Double) {
        var (x, y) = (0.0, 0.0)
        for (word, next) in zip(words, words.dropFirst()) where word.line == next.line {
            x += next.x - word.x
            y += next.y - word.y
        }
        let length = (x * x + y * y).squareRoot()
        return length > 0 ? (x / length, y / length) : (1, 0)
    }

    /// Returns the median of the shorter sides of words.
    private static func letterHeight(_ words: [Word]) -> Double {
        let heights = words.filter { $0.text.count > 2 }.map { min($0.width, $0.height) }.sorted()
        return heights.isEmpty ? 20 : max(1, heights[heights.count / 2])
    }
}
