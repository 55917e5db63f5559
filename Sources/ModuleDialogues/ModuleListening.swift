/// What becomes of a module's listening.
///
/// Only between `begun` and what ends it the module is known to listen, and there only until the last `confirmed`, or
/// the last that it heard.
public enum ModuleListening: Equatable, Sendable {
    /// It listens from now on.
    ///
    /// - Parameter inTurns: it can't advertise meanwhile, so that it listens for some seconds of each minute.
    case begun(inTurns: Bool)
    /// It has listened until now.
    case confirmed
    /// It has listened until now. Its advertising has its turn.
    case paused
    /// It doesn't listen, or isn't known to, since it was last known to.
    case ended(End)
    /// It heard somebody, and what it said of that can't be read.
    case unreadable

    /// Whether it says only that all goes on as it did.
    public var isNoNews: Bool {
        switch self {
        case .confirmed, .paused, .unreadable: true
        case .begun, .ended: false
        }
    }

    public enum End: String, Sendable {
        /// Nobody wants it to.
        case notWanted = "not-wanted"
        /// The module doesn't take the command.
        case refused
        /// The module was reset, or is being made to advertise.
        case interrupted
        /// It had stopped by itself, and was started again or will be.
        case stopped
        /// It takes every command, hears nobody, and nothing that it says tells whether it listens.
        case unproven
    }
}
