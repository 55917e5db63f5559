/// The programs that scripts are written for.
public enum ScriptFormat: String, CaseIterable, Sendable {
    /// chat(8) of Debian's package ppp.
    case chat
    /// Tera Term's macro language.
    case teraterm

    /// The end of a file's name, with the dot.
    public var fileExtension: String {
        switch self {
        case .chat: ".chat"
        case .teraterm: ".ttl"
        }
    }
}

/// A script as it is written to a disk.
public struct ScriptFile: Equatable, Sendable {
    public var name: String
    public var text: String
}
