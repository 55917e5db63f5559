import CMosquitto
import Glibc
import TestValues
import Testing

@testable import MQTTBridge
@testable import Publishing

@Suite struct ConnectionHistoryTests {
    private static let closed = MQTTError.Cause.library(.connectionLost)
    private static let reset = MQTTError.Cause.system(ECONNRESET)
    private static let takenOver = MQTTError.Cause.disconnected(Int32(MQTT_RC_SESSION_TAKEN_OVER.rawValue))

    private func error(_ conclusion: ConnectionHistory.Conclusion) throws -> MQTTError {
        MQTTError(broker: "b:1", cause: try #require(conclusion.cause))
    }

    @Test("A connection that broke is said to have broken, after how long and how; nothing else is concluded from one")
    func lost() throws {
        var history = ConnectionHistory()
        var error = try error(history.ended(Self.reset, after: .init(held: .milliseconds(1250), wasAnswered: true)))
        #expect(error.what == "the connection to broker b:1 was lost after 1.2 s: Connection reset by peer (errno 104)")
        #expect(error.remedy == nil)
        error = try self.error(history.ended(Self.reset, after: .init(held: .milliseconds(40), wasAnswered: false)))
        #expect(
            error.what
                == "the connection to broker b:1 was lost after 0.0 s, before anything was acknowledged: "
                + "Connection reset by peer (errno 104)")
        #expect(error.remedy == nil)
    }

    @Test("The access list is a possibility only after connections that all ended before an acknowledgement")
    func unanswered() throws {
        var history = ConnectionHistory()
        let connection = ConnectionHistory.Connection(held: .milliseconds(40), wasAnswered: false)
        for _ in 1..<ConnectionHistory.manyInARow {
            #expect(try error(history.ended(Self.reset, after: connection)).remedy == nil)
        }
        var error = try error(history.ended(Self.reset, after: connection))
        #expect(error.what.contains("(3 in a row)"))
        #expect(error.remedy?.contains("deploy/mosquitto/users.py") == true)
        _ = history.ended(Self.reset, after: .init(held: .seconds(1), wasAnswered: true))
        error = try self.error(history.ended(Self.reset, after: connection))
        #expect(error.remedy == nil)
    }

    @Test("Only what worked is begun anew after: a broker that refuses or throws out is asked more and more seldom")
    func pace() {
        var history = ConnectionHistory()
        #expect(history.ended(.refused(5), after: nil).pace == .slower)
        #expect(history.ended(.system(ECONNREFUSED), after: nil).pace == .slower)
        let worked = ConnectionHistory.Connection(held: .seconds(1), wasAnswered: true)
        #expect(history.ended(.rejected(0x87, topic: "t"), after: worked).pace == .slower)
        #expect(history.ended(.disconnected(0x97), after: worked).pace == .slower)
        #expect(history.ended(Self.reset, after: .init(held: .seconds(1), wasAnswered: false)).pace == .slower)
        #expect(history.ended(Self.reset, after: .init(held: .seconds(30), wasAnswered: false)).pace == .anew)
        #expect(history.ended(Self.reset, after: worked).pace == .anew)
    }

    @Test(
        "Fifty cuts of a link that works in between cost at most two seconds each", arguments: 0..<10 as Range<UInt64>)
    func flapping(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var (history, backoff) = (ConnectionHistory(), Backoff())
        for _ in 1...50 {
            backoff.heed(history.ended(Self.reset, after: .init(held: .milliseconds(300), wasAnswered: true)).pace)
            let wait = backoff.next(using: &generator)
            #expect(wait >= .milliseconds(500) && wait <= .seconds(2), "seed \(seed)")
        }
    }

    @Test("A link that broke soon after it worked is tried within a second, and after more from the third time on")
    func again() {
        var generator = SeededGenerator("again")
        var (history, backoff) = (ConnectionHistory(), Backoff())
        let waits = (1...10).map { _ in
            backoff.heed(history.ended(Self.reset, after: .init(held: .milliseconds(300), wasAnswered: true)).pace)
            return backoff.next(using: &generator)
        }
        #expect(waits.prefix(2).allSatisfy { $0 <= .seconds(1) }, generator.comment)
        #expect(waits.dropFirst(2).allSatisfy { $0 >= .seconds(1) }, generator.comment)
    }

    @Test(
        "A session that another client took is known from the broker, and from connections closed one after the other")
    func takeovers() {
        var history = ConnectionHistory()
        let brief = ConnectionHistory.Connection(held: .seconds(1), wasAnswered: true)
        let conclusion = history.ended(Self.takenOver, after: brief)
        #expect(conclusion.takeover == .said)
        #expect(conclusion.pace == .slower)
        let takeovers = (1...4).map { _ in history.ended(Self.closed, after: brief).takeover }
        #expect(takeovers == [nil, nil, .inferred, .inferred])
    }

    @Test("Broken and long connections, and those of no avail, aren't taken for another client's doing")
    func noTakeovers() {
        let brief = ConnectionHistory.Connection(held: .seconds(1), wasAnswered: true)
        for (cause, connection) in [
            (Self.reset, brief), (Self.closed, .init(held: .seconds(11), wasAnswered: true)),
            (Self.closed, .init(held: .seconds(1), wasAnswered: false)),
        ] {
            var history = ConnectionHistory()
            for _ in 1...5 { #expect(history.ended(cause, after: connection).takeover == nil, "\(cause)") }
        }
        var history = ConnectionHistory()
        for cause in [Self.closed, Self.closed, Self.reset, Self.closed, Self.closed] {
            #expect(history.ended(cause, after: brief).takeover == nil)
        }
    }
}
