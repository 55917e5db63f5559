import Publishing
import Testing

@Suite struct LiveAdmissionTests {
    /// Whether each message is let through.
    ///
    /// - Parameter messages: whether there is a backlog, and when the message comes.
    private func admitted(_ messages: [(hasBacklog: Bool, at: Duration)]) -> [Bool] {
        let start = ContinuousClock.now
        var admission = LiveAdmission()
        return messages.map { admission.admits(hasBacklog: $0.hasBacklog, at: start + $0.at) }
    }

    @Test func `Without a backlog everything is let through`() {
        #expect(admitted((0..<5).map { (false, .seconds($0)) }).allSatisfy { $0 })
    }

    @Test func `Several messages at once are let through, although the first waits to be written`() {
        #expect(admitted([(false, .zero)] + (1..<6).map { (true, .milliseconds($0)) }).allSatisfy { $0 })
    }

    @Test func `A connection that has had something to write for a second is given nothing more, until it has written`()
    {
        let before = admitted([(true, .zero), (true, .milliseconds(999)), (true, .seconds(1)), (true, .seconds(2))])
        #expect(before == [true, true, false, false])
        let after = admitted([(true, .zero), (true, .seconds(1)), (false, .seconds(60)), (true, .seconds(61))])
        #expect(after == [true, false, true, true])
    }
}
