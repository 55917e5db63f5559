/// The formats in which scripts can be written.
public enum ScriptFormat: String, CaseIterable, Sendable {
    /// chat(8) of Debian's package ppp.
    case chat
    /// Tera Term's macro language.
    case teraterm

    /// Extension of the file name, with the dot.
    public var fileExtension: String {
        switch self {
        case .chat: ".chat"
        case .teraterm: ".ttl"
        }
    }
}

/// A script with its file name.
public struct ScriptFile: Equatable, Sendable {
    /// File name.
    public var name: String
    /// Contents of the file.
    public var text: String
}
