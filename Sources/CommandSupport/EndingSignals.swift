import Glibc
package import UnixSignals

/// The signals that end a command in an orderly way.
package enum EndingSignals {
    /// SIGTERM, SIGINT and SIGHUP, which is sent when a terminal is closed. SIGHUP is left out for a command started by
    /// `nohup`.
    package static var all: [UnixSignal] {
        isHangUpIgnored ? [.sigterm, .sigint] : [.sigterm, .sigint, .sighup]
    }

    private static var isHangUpIgnored: Bool {
        var action = sigaction()
        guard sigaction(SIGHUP, nil, &action) == 0, let handler = action.__sigaction_handler.sa_handler
        else {
            return false
        }
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
