import BeaconModel

/// The reason why the dialogue on a port ended.
public struct PortFailure: Equatable, Sendable {
    /// The failure, in one line.
    public var what: String
    public var remedy: String?
    /// Whether the port does not exist.
    public var isPortMissing: Bool

    public init(_ error: any Error) {
        what = error.inOneLine
        remedy = (error as? any OperatorError)?.remedy
        isPortMissing =
            switch error as? SerialPortError {
            case .notFound?, .vanished?: true
            default: false
            }
    }

    public init(what: String, remedy: String? = nil, isPortMissing: Bool = false) {
        self.what = what
        self.remedy = remedy
        self.isPortMissing = isPortMissing
    }

    /// The dialogue ended without an error, although the module is still needed.
    static let ended = PortFailure(what: "the dialogue ended")
}
