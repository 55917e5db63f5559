import BeaconModel
import Testing

@testable import HCI

@Suite("DiscoveryRefresh")
struct DiscoveryRefreshTests {
    private let begin = Timestamp(microseconds: 1_000_000_000)

    private func after(_ seconds: Double) -> Timestamp { begin + .seconds(seconds) }

    @Test("Discovery is stopped a second after the first look, not before")
    func due() {
        var refresh = DiscoveryRefresh()
        #expect(refresh.next(now: begin) == nil)
        #expect(refresh.next(now: after(0.999)) == nil)
        #expect(refresh.next(now: after(1)) == .stop)
    }

    @Test("The answer to the stop brings the start, and that to the start brings rest")
    func round() {
        var refresh = DiscoveryRefresh()
        _ = refresh.next(now: begin)
        refresh.called(.stop, serial: 7, now: after(1))
        #expect(!refresh.isSettled)
        #expect(refresh.answered(serial: 7, now: after(1.1)) == .start)
        refresh.called(.start, serial: 8, now: after(1.1))
        #expect(refresh.answered(serial: 8, now: after(1.2)) == nil)
        #expect(refresh.isSettled)
        #expect(refresh.next(now: after(2.1)) == nil)
        #expect(refresh.next(now: after(2.2)) == .stop)
    }

    @Test("The answer to another call changes nothing")
    func otherAnswer() {
        var refresh = DiscoveryRefresh()
        refresh.called(.stop, serial: 7, now: begin)
        #expect(refresh.answered(serial: 6, now: begin) == nil)
        #expect(!refresh.isSettled)
    }

    @Test("A call that isn't answered within 5 s is followed by another stop")
    func noAnswer() {
        var refresh = DiscoveryRefresh()
        _ = refresh.next(now: begin)
        refresh.called(.start, serial: 7, now: begin)
        #expect(refresh.next(now: after(4.9)) == nil)
        #expect(refresh.next(now: after(5)) == .stop)
    }

    @Test("A clock that is set back only delays the next stop")
    func clockSetBack() {
        var refresh = DiscoveryRefresh()
        _ = refresh.next(now: begin)
        #expect(refresh.next(now: after(-500)) == nil)
        #expect(refresh.next(now: after(-499)) == .stop)
    }
}
