/// A text for comparisons: without case, diacritics and punctuation, and with letters that are read for each other made
/// equal.
struct FoldedText: Hashable {
    let characters: [Character]
    /// Index of each character in the original text.
    let positions: [Int]

    init(_ text: String) { self.init(Array(text)) }

    init(_ text: [Character]) {
        var characters: [Character] = []
        var positions: [Int] = []
        for (index, original) in text.enumerated() {
            let character = Self.folded(original)
            if character == " ", characters.last ?? " " == " " { continue }
            characters.append(character)
            positions.append(index)
        }
        if characters.last == " " {
            characters.removeLast()
            positions.removeLast()
        }
        self.characters = characters
        self.positions = positions
    }

    /// Whether one of the texts becomes the other by changing, adding or removing at most one character.
    static func areNear(_ one: ArraySlice<Character>, _ other: ArraySlice<Character>) -> Bool {
        guard abs(one.count - other.count) <= 1 else { return false }
        let start = zip(one, other).prefix { $0 == $1 }.count
        let (left, right) = (one.dropFirst(start), other.dropFirst(start))
        if left.count == right.count { return left.dropFirst() == right.dropFirst() }
        return left.count > right.count ? left.dropFirst() == right : left == right.dropFirst()
    }

    private static func folded(_ character: Character) -> Character {
        let lower = character.lowercased().first ?? character
        return switch lower {
        case "ä", "à", "á", "â": "a"
        case "ö", "ó", "0": "o"
        case "ü", "ú": "u"
        case "é", "è": "e"
        case "l", "1", "|", "!", "ı", "í", "ì": "i"
        case "5": "s"
        case "8": "b"
        case "-", "\u{2013}", "\u{2014}", "_", ".": " "
        default: lower.isWhitespace ? " " : lower
        }
    }
}
