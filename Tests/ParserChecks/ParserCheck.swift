/// A parser with what must hold of it for every input.
protocol ParserCheck: SendableMetatype {
    /// Names the directory of its corpus.
    static var name: String { get }
    /// What doesn't hold for `input`; `nil` when everything does. Where the parser traps, so does this.
    static func violation(for input: [UInt8]) -> String?
}
