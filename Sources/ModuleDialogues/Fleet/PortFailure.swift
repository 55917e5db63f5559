import BeaconModel

/// The reason why the dialogue on a port ended.
public struct PortFailure: Equatable, Sendable {
    /// The failure, in one line.
    public var what: String
    /// What an operator can do about it, if something is known.
    public var remedy: String?
    /// Whether the port does not exist.
    public var isPortMissing: Bool

    /// Creates a failure from the error that ended the dialogue.
    public init(_ error: any Error) {
        what = error.inOneLine
        remedy = (error as? any OperatorError)?.remedy
        isPortMissing =
            switch error as? SerialPortError {
            case .notFound?, .vanished?: true
            default: false
            }
    }

    /// Creates a failure from its parts.
    public init(what: String, remedy: String? = nil, isPortMissing: Bool = false) {
        self.what = what
        self.remedy = remedy
        self.isPortMissing = isPortMissing
    }

    /// The dialogue ended without an error, although the module is still needed.
    static let ended = PortFailure(what: "the dialogue ended")
}
