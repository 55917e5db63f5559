import BeaconModel

/// The ends of the latest connections to a broker, what they imply about the cause, and how soon to reconnect. Pure.
package struct ConnectionHistory: Sendable {
    /// A connection that the broker had accepted.
    package struct Connection: Equatable, Sendable {
        package var held: Duration
        /// Whether the broker acknowledged anything, or confirmed all subscriptions.
        package var wasAnswered: Bool

        package init(held: Duration, wasAnswered: Bool) {
            self.held = held
            self.wasAnswered = wasAnswered
        }
    }

    package struct Conclusion: Equatable, Sendable {
        /// The cause, supplemented with the observed history.
        package var cause: MQTTError.Cause?
        package var pace: Pace
        package var takeover: Takeover?
    }

    package enum Pace: Equatable, Sendable {
        /// The back-off starts again, as after a first failure.
        case anew
        /// The back-off starts again, slightly slower.
        case brisk
        /// The back-off continues, slower than before.
        case slower
    }

    /// Evidence that another client has taken the session over.
    package enum Takeover: Equatable, Sendable {
        /// The broker's DISCONNECT says so (MQTT 5.0, section 3.14.2.1).
        case said
        case inferred
    }

    /// Minimum duration of a good connection.
    package static let good: Duration = .seconds(30)
    /// Duration below which a connection that worked and was lost is counted.
    static let brief: Duration = .seconds(10)
    /// Number of consecutive losses that are unlikely to be an accident.
    static let manyInARow = 3

    /// Number of consecutive connections that were lost before anything was acknowledged.
    private var unanswered = 0
    /// Number of consecutive connections that were lost within `brief`, after something was acknowledged.
    private var short = 0
    /// Number of these, in a row, that the other side closed in order. A broker does so when another client connects
    /// with the same identifier.
    private var closed = 0

    package init() {
    }

    /// Evaluates the end of a connection or of a connection attempt.
    ///
    /// - Parameters:
    ///   - cause: `nil` if the connection ended without any.
    ///   - connection: `nil` if the broker had not accepted the connection.
    package mutating func ended(_ cause: MQTTError.Cause?, after connection: Connection?) -> Conclusion {
        guard let connection else { return Conclusion(cause: cause, pace: .slower) }
        // libmosquitto leaks what it has read of a packet that cannot be parsed (CMosquittoGuard). A broker that sends
        // such packets is never retried soon.
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

    /// Returns why the connection broke; `nil` if it did not break but was ended deliberately.
    private static func reasonOfLoss(_ cause: MQTTError.Cause) -> String? {
        switch cause {
        case .closed, .library(.connectionLost): "the other side closed it"
        case .library(.keepAlive): "nothing was received"
        case .system(let error): error.reason
        default: nil
        }
    }

    /// Whether a broker may have ended a connection with this cause because it does not allow what was published.
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
    /// Adjusts the back-off to the conclusion about the last connection.
    package mutating func heed(_ pace: ConnectionHistory.Pace) {
        switch pace {
        case .anew: reset()
        case .brisk: ease()
        case .slower: break
        }
    }
}
