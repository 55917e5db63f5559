/// A change in a module's listening state.
///
/// A module is known to listen only between `begun` and the event that ends it, and then only until the last
/// `confirmed` or the last reception.
public enum ModuleListening: Equatable, Sendable {
    /// The module listens from now on.
    ///
    /// - Parameter inTurns: the module cannot advertise meanwhile, so it listens for a few seconds of each minute.
    case begun(inTurns: Bool)
    /// The module has listened until now.
    case confirmed
    /// The module has listened until now; its turn to advertise begins.
    case paused
    /// The module is not, or not known to be, listening since the last confirmation or reception.
    case ended(End)
    /// The module sent a report of an advertisement that could not be parsed.
    case unreadable

    /// Whether the event reports no change of state.
    public var isNoNews: Bool {
        switch self {
        case .confirmed, .paused, .unreadable: true
        case .begun, .ended: false
        }
    }

    /// The reason why a module does not listen.
    public enum End: String, Sendable {
        /// Listening is no longer requested.
        case notWanted = "not-wanted"
        /// The module does not accept the command.
        case refused
        /// The module was reset, or is being provisioned.
        case interrupted
        /// The module had stopped listening by itself, and was or will be started again.
        case stopped
        /// The module accepts every command but receives nothing, and none of its answers shows whether it listens.
        case unproven
    }
}
