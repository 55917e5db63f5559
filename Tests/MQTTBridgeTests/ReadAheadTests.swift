import Testing

@testable import MQTTBridge

@Suite("What comes on a connection") struct ReadAheadTests {
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

    @Test func `Bytes that nobody saw are many, however short those were that somebody did`() {
        var bytes = UnseenBytes()
        for _ in 0..<1_000_000 { bytes.handedOut(10) }
        let areMany = [50_000_000, 50_000_000 + UnseenBytes.most, 50_000_001 + UnseenBytes.most].map {
            bytes.areMany(received: $0)
        }
        #expect(areMany == [false, false, true])
    }
}
