import Testing

@testable import Publishing

@Suite struct ReadAheadTests {
    @Test func `More is read only when what answers it is written`() {
        var ahead = ReadAhead()
        for _ in 1..<ReadAhead.most { ahead.read(packets: 1) }
        #expect(!ahead.isFar(answers: 0))
        ahead.read(packets: 1)
        #expect(ahead.isFar(answers: 0))
        ahead.wroteAll(answers: 0)
        #expect(!ahead.isFar(answers: 0))
    }

    @Test func `What the broker answers needs no answer`() {
        var ahead = ReadAhead()
        ahead.wroteAll(answers: 7)
        for _ in 0..<ReadAhead.most { ahead.read(packets: 1) }
        #expect(!ahead.isFar(answers: 8))
        ahead.read(packets: 1)
        #expect(ahead.isFar(answers: 8))
    }

    @Test func `By TLS several packets are read at once`() {
        var ahead = ReadAhead()
        ahead.read(packets: ReadAhead.most - 1)
        #expect(!ahead.isFar(answers: 0))
        // Of a packet that isn't whole yet no packet was read.
        ahead.read(packets: 0)
        #expect(ahead.isFar(answers: 0))
    }
}
