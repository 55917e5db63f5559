import BeaconModel
import Testing

@testable import Publishing

@Suite struct OutboxBeforeTests {
    @Test("After kill -9 in a transaction nothing is promised about records that were on no disk")
    func unfinished() throws {
        let now = OutboxFixtures.start
        let clock = OutboxClock(nil, newest: nil, now: now, nextID: 1)
        let before = OutboxBefore(
            files: OutboxFilesFound(isEmpty: false, hasLog: true), state: OutboxState(clock: clock.state),
            unfinishedBytes: 100)
        let findings = before.missing(OutboxFound(holding: nil), now: now, path: "outbox.db").findings
        #expect(findings.count == 1)
        let remedy = try #require(findings.first?.remedy)
        #expect(remedy.contains("nothing that was on disk is missing"))
        #expect(remedy.contains("only in memory"))
    }
}
