import HCI
import Testing

@Suite struct ATTExchangeTests {
    @Test("A BLE-Proximity phone as the app makes it gets our code by a command, and gives its own afterwards")
    func bleProximity() {
        let (sent, end) = AnsweringPeer.bleProximity().talk(.bleProximity)
        #expect(end == .finished(ExchangeReading(code: PDU.code, gaveOwnCode: true)))
        #expect(
            sent == [
                PDU.findBLEProximity, [0x08, 17, 0, 21, 0, 0x03, 0x28], [0x08, 19, 0, 21, 0, 0x03, 0x28],
                PDU.write(0x52, 20), [0x0A, 18, 0],
            ])
    }

    @Test("A peer that answers writes is written to by a request, after its code was read")
    func writeRequest() {
        let (sent, end) = AnsweringPeer.bleProximity(writeProperties: 0x0C).talk(.bleProximity)
        #expect(end == .finished(ExchangeReading(code: PDU.code, gaveOwnCode: true)))
        #expect(sent.suffix(2) == [[0x0A, 18, 0], PDU.write(0x12, 20)])
    }

    @Test("A peer that refuses our code, or has no place for it, still gives its own", arguments: [true, false])
    func unwritable(hasCharacteristic: Bool) {
        var peer = AnsweringPeer.bleProximity(writeProperties: 0x08)
        if hasCharacteristic {
            peer.answers[PDU.write(0x12, 20)] = [PDU.error(0x12, 0x03)]
        } else {
            peer.answers[[0x08, 19, 0, 21, 0, 0x03, 0x28]] = [PDU.error(0x08, 0x0A)]
        }
        #expect(peer.talk(.bleProximity).end == .finished(ExchangeReading(code: PDU.code, gaveOwnCode: false)))
    }

    @Test("Without a code of our own nothing is written, nor looked for")
    func listening() {
        let (sent, end) = AnsweringPeer.bleProximity().talk(.bleProximity, ownCode: nil)
        #expect(end == .finished(ExchangeReading(code: PDU.code, gaveOwnCode: false)))
        #expect(sent.count == 3)
    }

    @Test("A C19X phone's code is the lower half of its characteristic's UUID; nothing is read or written")
    func c19x() {
        let characteristic = PDU.reversed("FFFFFFFF-EEEE-DDDD-0123-456789ABCDEF")
        let peer = AnsweringPeer(answers: [
            PDU.findC19X: [[0x07, 40, 0, 0xFF, 0xFF]],
            [0x08, 41, 0, 0xFF, 0xFF, 0x03, 0x28]: [[0x09, 21, 41, 0, 0x18, 42, 0] + characteristic],
        ])
        let (sent, end) = peer.talk(.c19x)
        #expect(end == .finished(ExchangeReading(code: 0x0123_4567_89AB_CDEF, gaveOwnCode: false)))
        #expect(sent.count == 2)
    }

    @Test("The characteristics of Herald, numbered 1 to 4 under the same service, aren't taken for codes")
    func herald() {
        var peer = AnsweringPeer(answers: [PDU.findC19X: [[0x07, 40, 0, 48, 0]]])
        for number in UInt8(1)...4 {
            let handle = 39 + 2 * number
            let uuid = PDU.reversed("FFFFFFFF-EEEE-DDDD-0000-00000000000\(number)")
            peer.answers[[0x08, handle, 0, 48, 0, 0x03, 0x28]] = [[0x09, 21, handle, 0, 0x0A, handle + 1, 0] + uuid]
        }
        #expect(peer.talk(.c19x).end == .failed(.noCharacteristic))
    }

    @Test("Declarations with UUIDs of 16 bits, three in a PDU, are passed over")
    func shortUUIDs() {
        let three = [17, 19, 21].flatMap { [$0, 0, 0x02, $0 + 1, 0, 0x00, 0x2A] as [UInt8] }
        let peer = AnsweringPeer(answers: [
            PDU.findBLEProximity: [[0x07, 16, 0, 30, 0]],
            [0x08, 17, 0, 30, 0, 0x03, 0x28]: [[0x09, 7] + three],
            [0x08, 23, 0, 30, 0, 0x03, 0x28]: [[0x09, 21, 23, 0, 0x02, 24, 0] + PDU.readID],
            [0x08, 25, 0, 30, 0, 0x03, 0x28]: [PDU.error(0x08, 0x0A)],
            [0x0A, 24, 0]: [[0x0B, 1, 2, 3, 4, 5, 6, 7, 8]],
        ])
        let end = peer.talk(.bleProximity).end
        #expect(end == .finished(ExchangeReading(code: PDU.code, gaveOwnCode: false)))
    }

    @Test("Without the service, the exchange says so")
    func noService() {
        let peer = AnsweringPeer(answers: [PDU.findBLEProximity: [PDU.error(0x06, 0x0A)]])
        #expect(peer.talk(.bleProximity).end == .failed(.noService))
    }

    @Test("An MTU is agreed on if wanted, and a peer that can't do that is asked by the default")
    func mtu() {
        for (answer, isAgreed) in [([0x03, 0xB9, 0x00], true), (PDU.error(0x02, 0x06), false)] {
            var peer = AnsweringPeer.bleProximity()
            peer.answers[[0x02, 100, 0]] = [answer]
            // Longer than the default allows.
            let notification = [0x1B] + [UInt8](repeating: 0, count: 60)
            peer.answers[PDU.findBLEProximity]?.insert(notification, at: 0)
            var exchange = ATTExchange(.bleProximity, ownCode: nil, mtu: 100)
            let end = peer.talk(&exchange).end
            if isAgreed {
                #expect(end == .finished(ExchangeReading(code: PDU.code, gaveOwnCode: false)))
            } else {
                #expect(end == .failed(.malformed(opcode: 0x1B, .tooLong)))
            }
        }
    }

    @Test(
        "What a peer asks of us in the middle is answered as the specification wants it",
        arguments: [
            ([0x02, 0xB9, 0x00], [0x03, 23, 0]),
            ([0x02, 0xB9], [0x01, 0x02, 0, 0, 0x04]),
            ([0x04, 5, 0, 0xFF, 0xFF], [0x01, 0x04, 5, 0, 0x0A]),
            ([0x06, 5, 0, 9, 0, 0x00, 0x28, 1, 2], [0x01, 0x06, 5, 0, 0x0A]),
            ([0x08, 5, 0, 9, 0, 0x03, 0x28], [0x01, 0x08, 5, 0, 0x0A]),
            ([0x10, 1, 0, 9, 0, 0x00, 0x28], [0x01, 0x10, 1, 0, 0x0A]),
            ([0x10, 1, 0], [0x01, 0x10, 0, 0, 0x04]),
            ([0x0A, 1, 0], [0x01, 0x0A, 0, 0, 0x06]),
            ([0x3E, 1, 2], [0x01, 0x3E, 0, 0, 0x06]),
            ([0x1D, 3, 0, 9], [0x1E]),
            ([0x1B, 3, 0, 9], nil),
            ([0x23, 3, 0, 1, 0, 9], nil),
            ([0x52, 3, 0, 9], nil),
            ([0xD2, 3, 0, 9], nil),
        ] as [([UInt8], [UInt8]?)])
    func peersQuestions(question: [UInt8], answer: [UInt8]?) {
        var exchange = ATTExchange(.bleProximity, ownCode: PDU.ownCode)
        _ = exchange.handle(.opened)
        #expect(exchange.handle(.received(question)) == (answer.map { [.send($0)] } ?? []))
        #expect(exchange.step == .service)
    }

    @Test("All of it has one deadline, from the opening on, of five seconds")
    func deadline() {
        var exchange = ATTExchange(.bleProximity, ownCode: nil)
        #expect(exchange.handle(.opened) == [.wait(.seconds(5)), .send(PDU.findBLEProximity)])
        #expect(exchange.handle(.received([0x07, 16, 0, 21, 0])).count == 1)
        #expect(exchange.handle(.deadline) == [.failed(.tooSlow(during: .characteristics))])
        #expect(exchange.handle(.received([0x09])) == [])
    }

    @Test("A flood of notifications ends the dialogue at the 65th PDU")
    func flood() {
        var exchange = ATTExchange(.bleProximity, ownCode: nil)
        _ = exchange.handle(.opened)
        for _ in 0..<64 { #expect(exchange.handle(.received([0x1B, 3, 0, 1])) == []) }
        #expect(exchange.handle(.received([0x1B, 3, 0, 1])) == [.failed(.tooManyPDUs)])
    }

    @Test("An error says what was being done, in words")
    func words() {
        #expect(ExchangeError.tooSlow(during: .service).what == "the peer was too slow while looking for the service")
        #expect(
            ExchangeError.malformed(opcode: 7, .tooShort).what
                == "the peer sent a malformed PDU with opcode 7: too short"
        )
    }
}
