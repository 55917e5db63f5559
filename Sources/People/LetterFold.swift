/// Lower-case letters without their diacritics.
///
/// A letter has two forms, because people write it in two ways: `ü` is `u`, and also `ue`.
enum LetterFold {
    /// Letters with two forms, and letters whose names do not say which letter they are made of.
    private static let forms: [Unicode.Scalar: (short: String, long: String)] = [
        "ä": ("a", "ae"), "ö": ("o", "oe"), "ü": ("u", "ue"), "ø": ("o", "oe"), "å": ("a", "aa"), "ß": ("ss", "ss"),
        "æ": ("ae", "ae"), "œ": ("oe", "oe"), "þ": ("th", "th"), "ð": ("d", "d"), "ı": ("i", "i"), "ŋ": ("n", "n"),
        "ĳ": ("ij", "ij"), "ŉ": ("n", "n"), "ſ": ("s", "s"),
        // These are composed of a letter of another alphabet and a mark that is dropped when it stands alone.
        "й": ("и", "и"), "ё": ("е", "е"), "ї": ("і", "і"), "ў": ("у", "у"), "ѓ": ("г", "г"), "ќ": ("к", "к"),
        "ά": ("α", "α"), "έ": ("ε", "ε"), "ή": ("η", "η"), "ί": ("ι", "ι"), "ό": ("ο", "ο"), "ύ": ("υ", "υ"),
        "ώ": ("ω", "ω"), "ϊ": ("ι", "ι"), "ϋ": ("υ", "υ"), "ΐ": ("ι", "ι"), "ΰ": ("υ", "υ"), "ς": ("σ", "σ"),
    ]

    /// Returns the two forms of a lower-case letter. `é`, `ł` and all other Latin letters with marks are found by their
    /// names in Unicode, such as `LATIN SMALL LETTER E WITH ACUTE`.
    static func forms(of letter: Unicode.Scalar) -> (short: String, long: String) {
        let itself = String(letter)
        if letter.isASCII { return (itself, itself) }
        if let forms = forms[letter] { return forms }
        let prefix = "LATIN SMALL LETTER "
        guard let name = letter.properties.name, name.hasPrefix(prefix) else { return (itself, itself) }
        let parts = name.dropFirst(prefix.count).split(separator: " ", maxSplits: 2)
        guard parts.count == 3, parts[0].utf8.count == 1, parts[1] == "WITH" else { return (itself, itself) }
        let base = parts[0].lowercased()
        // Vietnamese and Livonian letters with a diaeresis and another mark: nobody spells them out.
        return (base, base)
    }

    /// Whether a scalar is a mark that belongs to the letter before it, in a text that is not composed.
    static func isMark(_ scalar: Unicode.Scalar) -> Bool { (0x300...0x36F).contains(scalar.value) }

    /// Returns the long form of a letter by itself followed by a mark; `nil` if it is the same as the short one.
    static func longForm(of letter: String, with mark: Unicode.Scalar) -> String? {
        switch (letter, mark.value) {
        case ("a", 0x308), ("o", 0x308), ("u", 0x308): letter + "e"
        case ("a", 0x30A): "aa"
        default: nil
        }
    }
}
