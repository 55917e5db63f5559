public import Mustache

/// Text in templates.
///
/// Templates escape by characters. A quotation mark with a combining accent, or after a sign that Unicode joins with
/// what follows, is another character than a quotation mark, and would not be escaped: it could end an attribute.
// The language of templates is part of this target alone.
// swift-format-ignore: AvoidRetroactiveConformances
extension String: @retroactive MustacheCustomRenderable {
    /// The text, in which each character that HTML gives a meaning stands alone.
    public var renderText: String {
        guard utf8.contains(where: { Self.isMarkup(UInt32($0)) }) else { return self }
        var text = ""
        for character in self {
            let scalars = character.unicodeScalars
            guard scalars.count > 1, scalars.contains(where: { Self.isMarkup($0.value) }) else {
                text.append(character)
                continue
            }
            for scalar in scalars {
                text.unicodeScalars.append(scalar)
                // A word joiner is invisible, and ends a character.
                text.unicodeScalars.append("\u{2060}")
            }
        }
        return text
    }

    public var isNull: Bool { false }

    /// Whether a scalar is one of `"&'<>`.
    private static func isMarkup(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x22, 0x26, 0x27, 0x3C, 0x3E: true
        default: false
        }
    }
}
