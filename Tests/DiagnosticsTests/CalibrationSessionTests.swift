import BeaconModel
import Testing

@testable import Diagnostics
@testable import GatewayCoreTests

@Suite struct CalibrationSessionTests {
    private let start = CalibrationAir.start

    private func packet(_ minor: UInt16, _ rssi: Int8, after seconds: Double) throws -> CalibrationPacket {
        CalibrationPacket(
            beacon: BeaconID(uuid: Capture.badge.uuid, major: 7, minor: minor), measuredPower: -59,
            rssi: try #require(RSSI(dBm: rssi)), time: start + .microseconds(Int64((seconds * 1e6).rounded())))
    }

    /// Ten packets a second for so long.
    private func hear(
        _ session: inout CalibrationSession, _ rssi: Int8, from: Double = 0, seconds: Double
    ) throws {
        for index in 0..<Int((seconds * 10).rounded()) {
            try session.take(try packet(2603, rssi, after: from + Double(index) / 10))
        }
    }

    @Test("Whoever is heard in 5 s can be chosen, the strongest first")
    func choosing() throws {
        var session = CalibrationSession(beacon: nil, distances: [1], isCapture: false)
        for (minor, rssi) in [(1, -80), (2, -55), (3, -70)] as [(UInt16, Int8)] {
            try session.take(try packet(minor, rssi, after: Double(minor)))
        }
        #expect(session.phase == .listening)
        try session.advance(to: start + .seconds(6))
        guard case .choosing(let heard) = session.phase else {
            Issue.record("\(session.phase)")
            return
        }
        #expect(heard.strongestFirst.map(\.beacon.minor) == [2, 3, 1])
        for line in ["0", "4", "-1", "two", "1.0"] {
            let isAnswer = session.answer(line)
            #expect(!isAnswer)
        }
        let isAnswer = session.answer("2")
        #expect(isAnswer)
        #expect(session.beacon?.minor == 3)
        #expect(session.phase == .placing(0))
    }

    @Test("Enter listens again")
    func again() throws {
        var session = CalibrationSession(beacon: nil, distances: [1], isCapture: false)
        try session.take(try packet(1, -60, after: 0))
        try session.advance(to: start + .seconds(5))
        _ = session.answer("")
        #expect(session.phase == .listening)
        try session.take(try packet(2, -60, after: 6))
        try session.advance(to: start + .seconds(11))
        guard case .choosing(let heard) = session.phase else {
            Issue.record("\(session.phase)")
            return
        }
        #expect(heard.strongestFirst.map(\.beacon.minor) == [2])
    }

    @Test("When nobody is heard for 15 s, that is said")
    func nobody() throws {
        var session = CalibrationSession(beacon: nil, distances: [1], isCapture: false)
        try session.advance(to: start)
        try session.advance(to: start + .seconds(14))
        do throws(CalibrationError) {
            try session.advance(to: start + .seconds(15))
            Issue.record("no error")
        } catch {
            #expect(error == .nothingHeard)
        }
    }

    @Test("Nothing counts before the beacon is in its place, or of others")
    func measuring() throws {
        var session = CalibrationSession(beacon: Capture.badge, distances: [1], isCapture: false)
        try hear(&session, -30, seconds: 5)
        _ = session.answer("")
        #expect(session.phase == .measuring(0))
        for index in 0..<100 { try session.take(try packet(9, -20, after: 5 + Double(index) / 100)) }
        try hear(&session, -62, from: 6, seconds: 25)
        #expect(session.phase == .finished)
        let outcome = try #require(session.outcome)
        #expect(outcome.points.count == 1)
        #expect(outcome.points[0].summary.mean == -62)
        // It began with the first packet of any beacon: at 5 s; it is 20 s long.
        #expect(outcome.measuredAt == start + .seconds(25))
    }

    @Test("A second distance is asked for and measured after the first")
    func twoDistances() throws {
        var session = CalibrationSession(beacon: Capture.badge, distances: [1, 3], isCapture: false)
        _ = session.answer("")
        try hear(&session, -60, seconds: 21)
        #expect(session.phase == .placing(1))
        #expect(session.outcome == nil)
        try hear(&session, -20, from: 21, seconds: 10)
        _ = session.answer("")
        try hear(&session, -70, from: 40, seconds: 21)
        let outcome = try #require(session.outcome)
        #expect(outcome.points.map(\.distance) == [1, 3])
        #expect(outcome.points.map(\.summary.mean) == [-60, -70])
    }

    @Test("In a capture only packets of the beacon let time pass")
    func capture() throws {
        var session = CalibrationSession(beacon: Capture.badge, distances: [1], isCapture: true)
        _ = session.answer("")
        for index in 0..<300 { try session.take(try packet(9, -20, after: Double(index))) }
        try hear(&session, -62, from: 300, seconds: 21)
        #expect(session.outcome?.points[0].summary.elapsed == .seconds(20))
    }

    @Test("A capture that ends too early, or never has the beacon, is refused")
    func captureEnds() throws {
        for (seconds, failure) in [
            (10.0, CalibrationFailure.tooShort(.milliseconds(9_900))), (0, .neverHeard),
        ] {
            var session = CalibrationSession(beacon: Capture.badge, distances: [1], isCapture: true)
            _ = session.answer("")
            try hear(&session, -62, seconds: seconds)
            do throws(CalibrationError) {
                try session.end()
                Issue.record("no error")
            } catch {
                #expect(
                    error
                        == .measurement(
                            failure, Capture.badge, distance: 1, CalibrationRules(), isCapture: true))
            }
        }
    }

    @Test("The plot has what was heard at this distance, with its age")
    func plot() throws {
        var session = CalibrationSession(beacon: Capture.badge, distances: [1], isCapture: false)
        try hear(&session, -30, seconds: 5)
        _ = session.answer("")
        try session.take(try packet(2603, -61, after: 6))
        try session.take(try packet(2603, -63, after: 7.5))
        #expect(session.plotPoints == [.init(age: 1.5, rssi: -61), .init(age: 0, rssi: -63)])
    }

    @Test("A flood of identities and of packets takes bounded room")
    func flood() throws {
        var session = CalibrationSession(beacon: nil, distances: [1], isCapture: false)
        for minor in 0..<UInt16(2000) { try session.take(try packet(minor, -60, after: 0)) }
        try session.advance(to: start + .seconds(5))
        guard case .choosing(let heard) = session.phase else {
            Issue.record("\(session.phase)")
            return
        }
        #expect(heard.strongestFirst.count == 20)
        #expect(heard.lines.count == 22)
        #expect(heard.lines.last == "and 236 weaker ones")
        _ = session.answer("1")
        _ = session.answer("")
        let beacon = try #require(session.beacon)
        for index in 0..<20_000 {
            try session.take(try packet(beacon.minor, -60, after: 5 + Double(index) / 10_000))
        }
        #expect(session.plotPoints.count <= 8192)
        #expect(session.measurement.packets == 20_000)
    }
}
