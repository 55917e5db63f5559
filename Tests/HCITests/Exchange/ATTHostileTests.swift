import HCI
import Testing

/// Every answer of a good peer, spoilt in every way.
@Suite struct ATTHostileTests {
    /// The answers of a good peer, in their order, with a dialogue that waits for each.
    private static let stages: [(exchange: ATTExchange, answer: [UInt8])] = {
        let peer = AnsweringPeer.bleProximity(writeProperties: 0x08)
        var exchange = ATTExchange(.bleProximity, ownCode: PDU.ownCode)
        var stages: [(exchange: ATTExchange, answer: [UInt8])] = []
        var actions = exchange.handle(.opened)
        while case .send(let pdu)? = actions.last, let answer = peer.answers[pdu]?.first {
            stages.append((exchange, answer))
            actions = exchange.handle(.received(answer))
        }
        return stages
    }()

    private func failure(_ stage: Int, _ pdu: [UInt8]) -> ExchangeError? {
        var exchange = Self.stages[stage].exchange
        guard case .failed(let error)? = exchange.handle(.received(pdu)).first else { return nil }
        return error
    }

    @Test("A good dialogue has five answers: this suite spoils all there are")
    func stages() { #expect(Self.stages.map { $0.answer[0] } == [0x07, 0x09, 0x09, 0x0B, 0x13]) }

    @Test("An answer cut off anywhere is a failure", arguments: 0..<5)
    func short(stage: Int) {
        let answer = Self.stages[stage].answer
        for length in 0..<answer.count {
            #expect(failure(stage, Array(answer.prefix(length))) != nil, "of \(length) bytes")
        }
    }

    @Test("An answer with too much at its end is a failure", arguments: 0..<5)
    func long(stage: Int) {
        let answer = Self.stages[stage].answer
        for extra in [1, 2, 3, 5, 20, 100, 600] {
            let pdu = answer + [UInt8](repeating: 0, count: extra)
            #expect(failure(stage, pdu) != nil, "\(extra) bytes more")
        }
    }

    @Test("An empty PDU is a failure", arguments: 0..<5)
    func empty(stage: Int) { #expect(failure(stage, []) == .malformed(opcode: nil, .empty)) }

    @Test("An answer to another question is a failure, whichever", arguments: 0..<5)
    func unexpected(stage: Int) {
        let awaited = Self.stages[stage].answer[0]
        let responses: [UInt8] = [0x03, 0x05, 0x07, 0x09, 0x0B, 0x0D, 0x0F, 0x11, 0x13, 0x17, 0x19, 0x1E, 0x21, 0x3F]
        for opcode in responses where opcode != awaited {
            let error = failure(stage, [opcode] + Self.stages[stage].answer.dropFirst())
            #expect(error == .unexpected(opcode: opcode, during: Self.stages[stage].exchange.step))
        }
    }

    @Test("An error response of wrong length, or about another request, is a failure", arguments: 0..<5)
    func badErrors(stage: Int) {
        #expect(failure(stage, [0x01, 0x06, 0, 0]) == .malformed(opcode: 0x01, .tooShort))
        #expect(failure(stage, [0x01, 0x06, 0, 0, 0x0A, 0]) == .malformed(opcode: 0x01, .tooLong))
        #expect(
            failure(stage, PDU.error(0x16, 0x0A))
                == .unexpected(opcode: 0x01, during: Self.stages[stage].exchange.step))
    }

    @Test(
        "Services at impossible handles are a failure",
        arguments: [
            ([0x07, 0, 0, 21, 0], ExchangeError.malformed(opcode: 0x07, .impossibleHandles)),
            ([0x07, 21, 0, 16, 0], .malformed(opcode: 0x07, .impossibleHandles)),
            ([0x07, 16, 0, 16, 0], .noCharacteristic),
            ([0x07, 0xFF, 0xFF, 0xFF, 0xFF], .noCharacteristic),
            ([0x07], .malformed(opcode: 0x07, .tooShort)),
            ([0x07, 16, 0, 21, 0, 30, 0], .malformed(opcode: 0x07, .raggedList)),
        ] as [([UInt8], ExchangeError)])
    func services(pdu: [UInt8], error: ExchangeError) { #expect(failure(0, pdu) == error) }

    @Test(
        "Characteristics at impossible handles, or in lists of impossible form, are a failure",
        arguments: [
            [0x09, 21, 16, 0, 2, 18, 0] + PDU.readID,
            [0x09, 21, 18, 0, 2, 18, 0] + PDU.readID,
            [0x09, 21, 19, 0, 2, 18, 0] + PDU.readID,
            [0x09, 21, 17, 0, 2, 22, 0] + PDU.readID,
            [0x09, 21, 17, 0, 2, 0xFF, 0xFF] + PDU.readID,
            [0x09, 7, 17, 0, 2, 18, 0, 0x00, 0x2A, 17, 0, 2, 18, 0, 0x01, 0x2A],
            [0x09, 0], [0x09, 7], [0x09, 21], [0x09, 255, 17, 0, 2, 18, 0],
            [0x09, 8, 17, 0, 2, 18, 0, 0x00, 0x2A, 0],
        ] as [[UInt8]])
    func characteristics(pdu: [UInt8]) {
        switch failure(1, pdu) {
        case .malformed(opcode: 0x09, .impossibleHandles)?, .malformed(opcode: 0x09, .raggedList)?: break
        case let other: Issue.record("\(String(describing: other))")
        }
    }

    @Test("A peer with endless characteristics runs out of handles or of PDUs")
    func endless() {
        for (step, error) in [(2, ExchangeError.tooManyPDUs), (5000, .noCharacteristic)] {
            var exchange = ATTExchange(.bleProximity, ownCode: nil)
            _ = exchange.handle(.opened)
            var actions = exchange.handle(.received([0x07, 1, 0, 0xFF, 0xFF]))
            var questions = 0
            while case .send(let pdu)? = actions.first {
                questions += 1
                let handle = min(Int(pdu[1]) + Int(pdu[2]) << 8 + step, 0xFFFE)
                let bytes = [handle, handle + 1].map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
                actions = exchange.handle(.received([0x09, 7] + bytes[0] + [2] + bytes[1] + [0, 0x2A]))
            }
            #expect(actions == [.failed(error)])
            #expect(questions <= 64)
        }
    }

    @Test("Codes of other lengths than eight bytes are refused", arguments: [0, 1, 7, 9, 22])
    func codes(length: Int) {
        #expect(failure(3, [0x0B] + [UInt8](repeating: 7, count: length)) == .wrongCodeLength(length))
    }

    @Test("Random PDUs never trap, and a dialogue is over within 64 of them")
    func random() {
        var generator = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: .min ... .max, using: &generator)
        print("seed \(seed)")
        var numbers = Generator(state: seed)
        for round in 0..<3000 {
            var exchange = Self.stages[round % 5].exchange
            var isOver = false
            for _ in 0..<65 where !isOver {
                var pdu = Self.stages[Int(numbers.next() % 5)].answer
                for _ in 0..<numbers.next() % 4 {
                    switch numbers.next() % 3 {
                    case 0 where !pdu.isEmpty:
                        pdu[Int(numbers.next() % UInt64(pdu.count))] = UInt8(truncatingIfNeeded: numbers.next())
                    case 1 where !pdu.isEmpty: pdu.removeLast()
                    default: pdu.append(UInt8(truncatingIfNeeded: numbers.next()))
                    }
                }
                for action in exchange.handle(.received(pdu)) {
                    switch action {
                    case .finished, .failed: isOver = true
                    case .send(let sent): #expect(sent.count <= 23)
                    case .wait: break
                    }
                }
            }
            #expect(isOver, "seed \(seed), round \(round)")
        }
    }
}

/// SplitMix64.
struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
