import BeaconModel
import Testing

@testable import ModuleDialogues

@Suite struct ProbeExchangeTests {
    private static let version = ModuleReply.ok("1610.2.5.2.0.4")
    private var exchange = ProbeExchange(.other("at+rsibt_getlocalname?"), version: "1610.2.5.2.0.4")

    @Test("An answer counts once the question behind the command is answered")
    mutating func ordinary() {
        #expect(exchange.received(.ok("B,RS9116W_BLE")) == .separate)
        exchange.separated()
        #expect(exchange.received(Self.version) == .answered(.ok("B,RS9116W_BLE")))
    }

    @Test("An answer that is late comes before that of the question, and counts")
    mutating func late() {
        #expect(exchange.deadline() == .separate)
        exchange.separated()
        #expect(exchange.received(.error(.commandDisallowed)) == .pending)
        #expect(exchange.received(Self.version) == .answered(.error(.commandDisallowed)))
    }

    @Test("A command that was lost has no answer")
    mutating func lost() {
        #expect(exchange.deadline() == .separate)
        exchange.separated()
        #expect(exchange.received(Self.version) == .answered(.none))
    }

    @Test("Answers that belong to something older mix the exchange up")
    mutating func older() {
        #expect(exchange.received(Self.version) == .mixedUp)
        var other = ProbeExchange(.localAddress, version: "1610.2.5.2.0.4")
        #expect(other.received(.ok("")) == .separate)
        other.separated()
        #expect(other.received(.ok("88-DA-1A-E8-06-6F")) == .mixedUp)
    }

    @Test("A module that answers two questions no more counts as dead; a reset without an answer doesn't")
    mutating func dead() {
        #expect(exchange.deadline() == .separate)
        exchange.separated()
        #expect(exchange.deadline() == .separate)
        exchange.separated()
        #expect(exchange.deadline() == .dead)
        var reset = ProbeExchange(.reset, version: "1610.2.5.2.0.4")
        #expect(reset.deadline() == .answered(.none))
    }

    @Test("Evidence of both kinds settles nothing, and what may have been damaged once has to be missing twice")
    func evidence() {
        var evidence = ProbeEvidence()
        evidence.add(.nonConnectable, holds: false)
        #expect(evidence.profile[.nonConnectable] == false)
        evidence.add(.nonConnectable, holds: true)
        #expect(evidence.profile[.nonConnectable] == nil)
        evidence.add(.loadingAnnounced, holds: false)
        #expect(evidence.profile[.loadingAnnounced] == nil)
        evidence.add(.loadingAnnounced, holds: false)
        #expect(evidence.profile[.loadingAnnounced] == false)
        evidence.add(.loadingAnnounced, holds: true)
        #expect(evidence.profile[.loadingAnnounced] == true)
        evidence.add(.controlLinesReset, holds: true)
        #expect(evidence.profile[.controlLinesReset] == nil)
    }

    @Test("A probe that doesn't know how it left the module is an error with status 69")
    func leftUnknown() {
        for left in [ProbeLeaving.reset, .bluetoothOff, .running] {
            #expect(ProbeError(ProbeReport(left: left)) == nil)
        }
        for mayAdvertise in [true, false] {
            let error = ProbeError(ProbeReport(left: .unknown(mayAdvertise: mayAdvertise)))
            #expect(error?.exitStatus.rawValue == 69)
            #expect(error?.meaning?.contains("may still advertise") == mayAdvertise)
        }
    }
}
