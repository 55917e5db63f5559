import BeaconModel
import Testing

@testable import GatewayCore

@Suite("The kernel's answer about the wall clock") struct SynchronizationAnswerTests {
    private static let asked = Timestamp(microseconds: 1_700_000_000_000_000)
    private let answer = SynchronizationAnswer(true, elapsed: .seconds(10), wall: Self.asked)

    private func holds(after time: Duration, step: Duration = .zero) -> Bool {
        answer.holds(elapsed: .seconds(10) + time, wall: Self.asked + time + step)
    }

    @Test("It holds for a second")
    func second() {
        #expect(holds(after: .zero))
        #expect(holds(after: .milliseconds(999)))
        #expect(!holds(after: .seconds(1)))
    }

    @Test("It ends with a step of the wall clock, forward or back", arguments: [-3600.0, -0.101, 0.101, 3600])
    func step(seconds: Double) { #expect(!holds(after: .milliseconds(500), step: .seconds(seconds))) }

    @Test("A clock that is being adjusted does not end it", arguments: [-0.05, 0.05])
    func drift(seconds: Double) { #expect(holds(after: .milliseconds(500), step: .seconds(seconds))) }
}
