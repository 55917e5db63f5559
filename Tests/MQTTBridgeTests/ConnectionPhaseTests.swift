import Testing

@testable import MQTTBridge

@Suite struct ConnectionPhaseTests {
    @Test("A broker accepts a connection once")
    func accept() {
        var phase = ConnectionPhase.connecting(.stay)
        phase.opened(7)
        #expect(phase == .open(socket: 7, .stay))
        var isFirst = phase.accept()
        #expect(isFirst)
        #expect(phase == .accepted(socket: 7, .stay))
        isFirst = phase.accept()
        #expect(!isFirst)
    }

    @Test("A connection that is to be left may still be accepted")
    func acceptedWhileLeaving() {
        var phase = ConnectionPhase.open(socket: 7, .leave)
        let isFirst = phase.accept()
        #expect(isFirst)
        #expect(phase == .accepted(socket: 7, .leave))
    }

    @Test("What was wanted during the attempt is wanted of its connection, and what was abandoned stays so")
    func intent() {
        var phase = ConnectionPhase.connecting(.stay)
        phase.want(.leave)
        phase.want(.abandon)
        phase.want(.leave)
        #expect(phase == .connecting(.abandon))
        #expect(phase.isConnecting)
        phase.opened(7)
        #expect(phase == .open(socket: 7, .abandon))
        #expect(!phase.isConnecting)
    }

    @Test("After the end there is no socket, and nothing to leave")
    func ended() {
        var phase = ConnectionPhase.ended
        phase.want(.leave)
        #expect(phase == .ended)
        #expect(phase.socket == -1)
        #expect(phase.intent == .abandon)
    }
}
