import HCI

/// A peer by its answers: which PDU it gives to which.
struct AnsweringPeer {
    var answers: [[UInt8]: [[UInt8]]]

    /// The service at handles 16 to 21, with the code 0x0807060504030201.
    static func bleProximity(writeProperties: UInt8 = 0x04) -> AnsweringPeer {
        AnsweringPeer(answers: [
            PDU.findBLEProximity: [[0x07, 16, 0, 21, 0]],
            [0x08, 17, 0, 21, 0, 0x03, 0x28]: [[0x09, 21, 17, 0, 0x02, 18, 0] + PDU.readID],
            [0x08, 19, 0, 21, 0, 0x03, 0x28]: [[0x09, 21, 19, 0, writeProperties, 20, 0] + PDU.writeID],
            [0x0A, 18, 0]: [[0x0B, 1, 2, 3, 4, 5, 6, 7, 8]],
            PDU.write(0x12, 20): [[0x13]],
        ])
    }

    /// Lets the dialogue go on until it ends or nobody has anything to say.
    ///
    /// - Returns: what the dialogue sent, and how it ended.
    func talk(_ exchange: inout ATTExchange) -> (sent: [[UInt8]], end: ATTExchange.Action?) {
        var sent: [[UInt8]] = []
        var actions = exchange.handle(.opened)
        while !actions.isEmpty {
            var next: [ATTExchange.Action] = []
            for action in actions {
                switch action {
                case .send(let pdu):
                    sent.append(pdu)
                    for answer in answers[pdu] ?? [] { next += exchange.handle(.received(answer)) }
                case .wait: break
                case .finished, .failed: return (sent, action)
                }
            }
            actions = next
        }
        return (sent, nil)
    }

    func talk(_ profile: ExchangeProfile, ownCode: UInt64? = PDU.ownCode) -> (sent: [[UInt8]], end: ATTExchange.Action?)
    {
        var exchange = ATTExchange(profile, ownCode: ownCode)
        return talk(&exchange)
    }
}

/// PDUs as the specification writes them (Bluetooth Core Specification 5.4, Vol 3, Part F, 3.4).
enum PDU {
    static let ownCode: UInt64 = 0x1122_3344_5566_7788
    static let code: UInt64 = 0x0807_0605_0403_0201
    static let readID = reversed("9F565547-7415-4EF7-8CDD-E2E9674EF033")
    static let writeID = reversed("B222EBFF-99B4-4BC4-A2E4-717AEF9966A6")
    static let findBLEProximity =
        [0x06, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28] + reversed("8E99298E-65D6-4AF7-9074-731C66E01AF9")
    static let findC19X = [0x06, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28] + reversed("FFFFFFFF-EEEE-DDDD-0000-000000000000")

    static func write(_ opcode: UInt8, _ handle: UInt8) -> [UInt8] {
        [opcode, handle, 0, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11]
    }

    static func error(_ request: UInt8, _ reason: UInt8) -> [UInt8] { [0x01, request, 0, 0, reason] }

    static func reversed(_ uuid: String) -> [UInt8] {
        let digits = Array(uuid.filter { $0 != "-" })
        return stride(from: 0, to: digits.count, by: 2)
            .compactMap { UInt8(String(digits[$0...($0 + 1)]), radix: 16) }.reversed()
    }
}
