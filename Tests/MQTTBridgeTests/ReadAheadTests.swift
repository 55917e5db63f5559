import Testing

@testable import MQTTBridge

@Suite struct ReadAheadTests {
    @Test func `More is read only when what answers it is written`() {
        var ahead = ReadAhead()
        for _ in 1..<ReadAhead.most { ahead.read() }
        #expect(!ahead.isFar(answers: 0))
        ahead.read()
        #expect(ahead.isFar(answers: 0))
        ahead.wroteAll(answers: 0)
        #expect(!ahead.isFar(answers: 0))
    }

    @Test func `What the broker answers needs no answer`() {
        var ahead = ReadAhead()
        ahead.wroteAll(answers: 7)
        for _ in 0..<ReadAhead.most { ahead.read() }
        #expect(!ahead.isFar(answers: 8))
        ahead.read()
        #expect(ahead.isFar(answers: 8))
    }
}
