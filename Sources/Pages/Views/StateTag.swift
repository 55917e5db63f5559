/// State of something in words, with a colour.
package struct StateTag: Equatable, Sendable {
    package var words: String
    /// Class of the tag.
    package var kind: String

    /// Rating of a state.
    package enum Kind: String, Sendable {
        case good, warn, bad
        case plain = ""
    }

    package init(_ words: String, _ kind: Kind) {
        self.words = words
        self.kind = kind.rawValue
    }
}
