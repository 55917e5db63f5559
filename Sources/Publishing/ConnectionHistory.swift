import BeaconModel

/// How the last connections to a broker ended, what that says of the latest, and how soon to try again. Pure.
package struct ConnectionHistory: Sendable {
    /// A connection that the broker had accepted.
    package struct Connection: Equatable, Sendable {
        package var held: Duration
        /// The broker has acknowledged something, or confirmed all subscriptions.
        package var wasAnswered: Bool

        package init(held: Duration, wasAnswered: Bool) {
            self.held = held
            self.wasAnswered = wasAnswered
        }
    }

    package struct Conclusion: Equatable, Sendable {
        /// With what was seen.
        package var cause: MQTTError.Cause?
        package var pace: Pace
        package var takeover: Takeover?
    }

    package enum Pace: Equatable, Sendable {
        /// As after a first failure.
        case anew
        /// The same, a little slower.
        case brisk
        /// Slower than before.
        case slower
    }

    /// Why another client is believed to have taken the session.
    package enum Takeover: Equatable, Sendable {
        /// The broker said so (MQTT 5.0, section 3.14.2.1).
        case said
        case inferred
    }

    /// A connection that held for so long was a good one.
    package static let good: Duration = .seconds(30)
    /// One that worked and was lost sooner is counted.
    static let brief: Duration = .seconds(10)
    /// So many in a row are more than an accident.
    static let manyInARow = 3

    /// Connections that were lost in a row before anything was acknowledged.
    private var unanswered = 0
    /// Connections that were lost in a row within `brief`, after something was acknowledged.
    private var short = 0
    /// Those of them, in a row, that the other side closed in order, as a broker does when another client comes with
    /// the same identifier.
    private var closed = 0

    package init() {
    }

    /// - Parameters:
    ///   - cause: `nil` when the connection ended without any.
    ///   - connection: `nil` when the broker hadn't accepted.
    package mutating func ended(_ cause: MQTTError.Cause?, after connection: Connection?) -> Conclusion {
        guard let connection else { return Conclusion(cause: cause, pace: .slower) }
        // What libmosquitto had read of a packet that no client reads is lost to the memory for good (CMosquittoGuard): a broker
        // that sends such packets is never asked soon again.
        let isGood = connection.held >= Self.good && cause != .library(.malformedPacket)
        guard let reason = cause.map(Self.reasonOfLoss) ?? "" else {
            (unanswered, short, closed) = (0, 0, 0)
            let isTakeover = cause == .disconnected(MQTTReason.sessionTakenOver)
            return Conclusion(cause: cause, pace: isGood ? .anew : .slower, takeover: isTakeover ? .said : nil)
        }
        var lost = LostConnection(
            reason: reason, after: connection.held, wasAnswered: connection.wasAnswered, inARow: 1)
        guard connection.wasAnswered else {
            (short, closed) = (0, 0)
            unanswered += 1
            lost.inARow = unanswered
            return Conclusion(cause: cause.map { _ in .lost(lost) }, pace: isGood ? .anew : .slower)
        }
        unanswered = 0
        let isShort = connection.held < Self.brief
        short = isShort ? short + 1 : 0
        closed = isShort && cause.map(Self.isClosedByOther) ?? true ? closed + 1 : 0
        lost.inARow = max(1, short)
        return Conclusion(
            cause: cause.map { _ in .lost(lost) }, pace: short >= Self.manyInARow ? .brisk : .anew,
            takeover: closed >= Self.manyInARow ? .inferred : nil)
    }

    /// Why the connection broke; `nil` when it didn't break, but was ended for what somebody did.
    private static func reasonOfLoss(_ cause: MQTTError.Cause) -> String? {
        switch cause {
        case .closed, .library(.connectionLost): "the other side closed it"
        case .library(.keepAlive): "no sign of life came"
        case .system(let error): error.reason
        default: nil
        }
    }

    /// Whether a broker may have ended a connection like that because it doesn't allow what was published.
    package static func mayBeRefusal(_ cause: MQTTError.Cause) -> Bool {
        switch cause {
        case .disconnected(let reason): reason != MQTTReason.sessionTakenOver
        case .system(let error): [brokenPipe, connectionReset].contains(error.errorNumber)
        default: isClosedByOther(cause)
        }
    }

    /// EPIPE and ECONNRESET of Linux (errno.h).
    private static let (brokenPipe, connectionReset): (Int32, Int32) = (32, 104)

    private static func isClosedByOther(_ cause: MQTTError.Cause) -> Bool {
        cause == .closed || cause == .library(.connectionLost)
    }
}

extension Backoff {
    /// Heeds what was concluded of the last connection.
    package mutating func heed(_ pace: ConnectionHistory.Pace) {
        switch pace {
        case .anew: reset()
        case .brisk: ease()
        case .slower: break
        }
    }
}
