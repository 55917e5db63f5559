import BeaconModel
import BlueZScanner
import HCI
import SystemIO
import TestSupport
import Testing

@testable import Diagnostics
@testable import Gateway
@testable import GatewayCoreTests
@testable import GatewayDaemon

/// The whole conversation, with a radio that plays a capture.
@Suite(.timeLimit(.minutes(10))) struct LiveCalibrationTests {
    /// Plays the next part of a capture whenever it is told to.
    private struct PlayedRadio: RadioSource {
        let name = "hci9"
        private let stream: AsyncThrowingStream<AdapterScanner.Event, any Error>
        let continuation: AsyncThrowingStream<AdapterScanner.Event, any Error>.Continuation
        private let isStopped = LockedValue(false)

        init() { (stream, continuation) = AsyncThrowingStream.makeStream() }

        func events() -> AsyncThrowingStream<AdapterScanner.Event, any Error> {
            var state = RadioState(adapter: Adapter(index: 9), path: .raw)
            state.mode = .legacy
            state.condition = .hearing
            continuation.yield(.state(state))
            return stream
        }

        func suspect(isCertain: Bool) {}
        func rescan() {}

        func stop() {
            isStopped.withLock { $0 = true }
            continuation.finish()
        }

        func abandon() { stop() }

        var wasStopped: Bool { isStopped.withLock { $0 } }

        func fail() { continuation.finish(throwing: ScannerError.removed(Adapter(index: 9))) }

        /// So many seconds of two beacons, ten times a second.
        func play(_ rssi: Int8, seconds: Int, from start: Int) throws {
            let other = BeaconID(uuid: Capture.badge.uuid, major: 7, minor: 1)
            var capture = Capture()
            capture.time = capture.time + .seconds(start)
            for _ in 0..<(10 * seconds) {
                capture.addBeacon(rssi: rssi, after: .milliseconds(100))
                capture.addBeacon(other, rssi: -80)
            }
            let directory = try TemporaryDirectory()
            var file = try BTSnoopFile(path: try directory.write("part.btsnoop", capture.bytes))
            while let batch = try file.next(limit: 20) { continuation.yield(.packets(batch)) }
        }
    }

    /// What is on the screen, and what the person does about it.
    private final class Person: Sendable {
        private let text = LockedValue("")
        let lines: AsyncStream<String>
        private let typing: AsyncStream<String>.Continuation
        /// Called once for each text when it appears.
        private let reactions: LockedValue<[(String, @Sendable (Person) -> Void)]>

        init(_ reactions: [(String, @Sendable (Person) -> Void)]) {
            (lines, typing) = AsyncStream.makeStream()
            self.reactions = LockedValue(reactions)
        }

        func type(_ line: String) { typing.yield(line) }

        func leave() { typing.finish() }

        func see(_ part: String) {
            text.withLock { $0 += part }
            let reaction = reactions.withLock { reactions -> (@Sendable (Person) -> Void)? in
                guard let first = reactions.first, part.contains(first.0) else { return nil }
                return reactions.removeFirst().1
            }
            reaction?(self)
        }

        var seen: String { text.withLock { $0 } }

        var screen: CalibrationScreen {
            CalibrationScreen(isInteractive: true, isUTF8: false, size: (24, 80)) { self.see($0) }
        }
    }

    private func calibrate(
        _ radio: PlayedRadio, _ person: Person, beacon: BeaconID? = Capture.badge, distances: [Double] = [1]
    ) async throws -> CalibrationOutcome? {
        var live = LiveCalibration(
            CalibrationSession(beacon: beacon, distances: distances, isCapture: false), radio: radio,
            keyboard: person.lines, waits: true, screen: person.screen)
        return try await live.run()
    }

    @Test("Choose, place, measure, place farther away, measure: and the radio is stopped at the end")
    func whole() async throws {
        let radio = PlayedRadio()
        let person = Person([
            ("scanning", { _ in try? radio.play(-60, seconds: 6, from: 0) }), ("Which beacon", { $0.type("3") }),
            ("Which beacon", { $0.type("1") }),
            (
                "Press Enter to begin",
                {
                    $0.type("")
                }
            ), ("measuring at 1 m", { _ in try? radio.play(-61, seconds: 21, from: 10) }),
            ("Press Enter to begin", { $0.type("") }),
            ("measuring at 3 m", { _ in try? radio.play(-70, seconds: 21, from: 40) }),
        ])
        let outcome = try #require(try await calibrate(radio, person, beacon: nil, distances: [1, 3]))
        #expect(outcome.beacon == Capture.badge)
        #expect(outcome.says == -59)
        #expect(outcome.points.map(\.summary.mean) == [-61, -70])
        #expect(radio.wasStopped)
        let seen = person.seen
        #expect(seen.contains("1  \(Capture.badge)  -60 dBm  -59 dBm"), "\(seen)")
        #expect(seen.contains("Put beacon \(Capture.badge) at 1 m from the antenna"))
        #expect(seen.contains("Put beacon \(Capture.badge) at 3 m from the antenna"))
        // Drawn over in place: as many lines up as were drawn.
        #expect(seen.contains("\u{1B}[14A\r"), "\(seen)")
        #expect(seen.contains("[####################] enough"))
    }

    @Test("Ctrl-D at a question ends it without a result")
    func endOfInput() async throws {
        let radio = PlayedRadio()
        let person = Person([("Press Enter to begin", { $0.leave() })])
        #expect(try await calibrate(radio, person) == nil)
        #expect(radio.wasStopped)
    }

    @Test("When a signal stops the radio in the middle, there is no result")
    func signal() async throws {
        let radio = PlayedRadio()
        let person = Person([
            ("Press Enter to begin", { $0.type("") }),
            (
                "measuring",
                { _ in
                    try? radio.play(-60, seconds: 10, from: 0)
                    radio.stop()
                }
            ),
        ])
        #expect(try await calibrate(radio, person) == nil)
    }

    @Test("A radio that fails is an error")
    func radioFails() async throws {
        let radio = PlayedRadio()
        let person = Person([("Press Enter to begin", { _ in radio.fail() })])
        await #expect(throws: ScannerError.removed(Adapter(index: 9))) { _ = try await calibrate(radio, person) }
    }

    @Test("A beacon that is never heard is an error, and the radio is stopped")
    func neverHeard() async throws {
        let radio = PlayedRadio()
        let stranger = BeaconID(uuid: Capture.badge.uuid, major: 9, minor: 9)
        let person = Person([
            ("Press Enter to begin", { $0.type("") }),
            ("measuring", { _ in try? radio.play(-60, seconds: 16, from: 0) }),
        ])
        await #expect(
            throws: CalibrationError.measurement(
                .neverHeard, stranger, distance: 1, CalibrationRules(), isCapture: false)
        ) { _ = try await calibrate(radio, person, beacon: stranger) }
        #expect(radio.wasStopped)
    }

    @Test("Without a person nobody can choose: the beacons are listed, and that is an error")
    func nobodyToChoose() async throws {
        let radio = PlayedRadio()
        let person = Person([("scanning", { _ in try? radio.play(-60, seconds: 6, from: 0) })])
        var live = LiveCalibration(
            CalibrationSession(beacon: nil, distances: [1], isCapture: false), radio: radio, keyboard: nil,
            waits: true, screen: person.screen)
        do {
            _ = try await live.run()
            Issue.record("no error")
        } catch let error as CalibrationError {
            #expect(error == .choiceNeeded)
            #expect(error.exitStatus == .usage)
        }
        #expect(person.seen.contains("2  e2c56db5-dffb-48d2-b060-d0f5a71096e0/7/1 "), "\(person.seen)")
    }

    @Test("With a beacon that is in its place nothing is asked")
    func yes() async throws {
        let radio = PlayedRadio()
        let person = Person([("measuring", { _ in try? radio.play(-60, seconds: 21, from: 0) })])
        var live = LiveCalibration(
            CalibrationSession(beacon: Capture.badge, distances: [1], isCapture: false), radio: radio, keyboard: nil,
            waits: false, screen: person.screen)
        #expect(try await live.run()?.points.first?.summary.mean == -60)
        #expect(!person.seen.contains("Enter"))
    }
}
