import OperatorText

/// A name for comparison: without case, diacritics, punctuation, joiners and the order of a comma form.
///
/// `Müller, Anna-Maria` is `anna maria muller`, and also `anna maria mueller`. Two names are the same if they have a
/// form in common: `Müller` is the same as `Muller` and as `Mueller`, which are not the same as each other. For names
/// with several such letters only the forms count in which all are written alike.
package struct FoldedName: Equatable, Sendable {
    /// Words with the short and with the long forms of letters; as many of one as of the other.
    private var short: [String] = []
    private var long: [String] = []

    package init(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        for part in parts.count == 2 ? parts.reversed() : parts { add(part.lowercased()) }
    }

    package var isEmpty: Bool { short.isEmpty }

    /// The name in its short form.
    package var text: String { short.joined(separator: " ") }

    /// The whole name in each of its forms.
    package var wholeForms: Set<String> { isEmpty ? [] : [text, long.joined(separator: " ")] }

    /// The words in all their forms, in order; the forms of one word are together.
    package var words: [Set<String>] { zip(short, long).map { [$0, $1] } }

    /// Whether this is the whole name of somebody, as far as names are compared.
    package func isSame(as other: FoldedName) -> Bool { !wholeForms.isDisjoint(with: other.wholeForms) }

    private mutating func add(_ text: String) {
        var word = (short: "", long: "")
        var last = ""
        func isInWord(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
                .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
                true
            default: false
            }
        }
        for scalar in text.unicodeScalars {
            if scalar.isJoiner || Self.apostrophes.contains(scalar) { continue }
            if LetterFold.isMark(scalar) {
                if let long = LetterFold.longForm(of: last, with: scalar) { word.long += long.dropFirst(last.count) }
                last = ""
            } else if isInWord(scalar) {
                let forms = LetterFold.forms(of: scalar)
                word.short += forms.short
                word.long += forms.long
                last = forms.short
            } else {
                end(&word)
                last = ""
            }
        }
        end(&word)
    }

    private mutating func end(_ word: inout (short: String, long: String)) {
        if !word.short.isEmpty {
            short.append(word.short)
            long.append(word.long)
        }
        word = ("", "")
    }

    private static let apostrophes: Set<Unicode.Scalar> = ["'", "\u{2019}", "\u{2018}", "\u{02BC}", "`", "\u{B4}"]
}
