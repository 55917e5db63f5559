/// Part of a list of students that a page shows. Pure.
struct StudentPart: Equatable, Sendable {
    /// Places of the students in the list.
    let range: Range<Int>
    /// Number of students in the list.
    let count: Int
    private let most: Int

    /// Creates the part with one student.
    ///
    /// - Parameters:
    ///   - place: place of the student. Beyond the end of the list it means the last part, before the beginning the
    ///     first.
    ///   - most: maximum number of students on a page.
    init(with place: Int, of count: Int, most: Int) {
        let start = min(max(0, place), max(0, count - 1)) / most * most
        range = start..<min(start + most, count)
        self.count = count
        self.most = most
    }

    /// Creates the part that an address asks for.
    ///
    /// - Parameter asked: place of a student in digits; anything else means the first part.
    init(asked: String?, of count: Int, most: Int) {
        self.init(with: asked.flatMap { Int($0) } ?? 0, of: count, most: most)
    }

    /// Place of the first student of the part before; `nil` for the first part.
    var previous: Int? { range.lowerBound > 0 ? range.lowerBound - most : nil }

    /// Place of the first student of the next part; `nil` for the last part.
    var next: Int? { range.upperBound < count ? range.upperBound : nil }

    /// The students within a sentence: `students 1 to 30 of 120`.
    var words: String {
        isAll ? "all students" : "students \(range.lowerBound + 1) to \(range.upperBound) of \(count)"
    }

    /// The students in a sentence; `nil` if all are shown.
    var extent: String? { isAll ? nil : words.asSentence }

    private var isAll: Bool { range.count == count }
}
