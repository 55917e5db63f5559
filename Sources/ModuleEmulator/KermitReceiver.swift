/// The receiving side of a Kermit transfer of one file: bytes in, bytes out, a file at the end.
///
/// Stop-and-wait with packets of at most 94 bytes and block check 1: no windows, long packets, streaming or repeat
/// counts, as in bootloaders. Damaged packets are refused, repeated packets acknowledged again. Any input is valid.
package struct KermitReceiver: Sendable {
    package enum Outcome: Equatable, Sendable {
        case file([UInt8])
        case failed
    }

    package struct Answer: Equatable, Sendable {
        /// Bytes to send to the sender; can be empty.
        package var bytes: [UInt8] = []
        /// Outcome, once the transfer is over.
        package var outcome: Outcome?
    }

    private enum Stage: Sendable {
        case parameters, fileHeader, data, endOfTransmission, over
    }

    /// Number of packets that have arrived, including damaged ones.
    private(set) var packetCount = 0

    private let limit: Int
    private let prefixing: RS9116Emulator.Options.KermitPrefixing
    private let stall: Int?
    private var input = KermitPacketInput()
    private var parameters = KermitParameters()
    private var stage = Stage.parameters
    private var expected: UInt8 = 0
    private var lastArrival: KermitPacketInput.Arrival?
    /// Answer to the packet before the expected one.
    private var lastAcknowledgement: [UInt8] = []
    private var file: [UInt8] = []

    /// - Parameters:
    ///   - limit: the maximum file size in bytes; a longer file ends the transfer.
    ///   - stall: the number of file bytes after which every packet is ignored except one that aborts the transfer;
    ///     `nil` for never.
    init(limit: Int, prefixing: RS9116Emulator.Options.KermitPrefixing = .standard, stall: Int? = nil) {
        self.limit = limit
        self.prefixing = prefixing
        self.stall = stall
    }

    package mutating func receive(_ byte: UInt8) -> Answer {
        guard let arrival = input.append(byte) else { return Answer() }
        if isStalled, !arrival.isAbortion { return Answer() }
        packetCount &+= 1
        guard stage != .over else {
            // The sender may have missed the answer to its last packet.
            return Answer(bytes: arrival == lastArrival ? lastAcknowledgement : [])
        }
        lastArrival = arrival
        guard case .packet(let packet) = arrival else { return refuse() }
        // The sequence number of an abort packet is ignored.
        if arrival.isAbortion {
            lastAcknowledgement = []
            return end(.failed)
        }
        if packet.sequence == expected { return take(packet) }
        return packet.sequence == (expected &+ 63) % 64 && !lastAcknowledgement.isEmpty
            ? Answer(bytes: lastAcknowledgement) : refuse()
    }

    private var isStalled: Bool { stall.map { file.count >= $0 } ?? false }

    private mutating func take(_ packet: KermitPacket) -> Answer {
        switch (stage, packet.type) {
        case (.parameters, UInt8(ascii: "S")):
            parameters = KermitParameters(packet.data)
            stage = .fileHeader
            return acknowledge(parameters.reply)
        case (.fileHeader, UInt8(ascii: "F")):
            stage = .data
            return acknowledge()
        case (.fileHeader, UInt8(ascii: "B")):
            // The transmission contains no file.
            return acknowledge(outcome: .failed)
        case (.data, UInt8(ascii: "A")):
            guard file.isEmpty else { return abort("attributes within a file") }
            return acknowledge([UInt8(ascii: "Y")])
        case (.data, UInt8(ascii: "D")):
            guard let bytes = parameters.decode(packet.data, prefixing) else { return abort("a cut prefix") }
            guard file.count + bytes.count <= limit else { return abort("the file is too long") }
            file += bytes
            return acknowledge()
        case (.data, UInt8(ascii: "Z")):
            // `D`: the sender was interrupted and wants the file discarded.
            guard packet.data.first != UInt8(ascii: "D") else {
                file = []
                stage = .fileHeader
                return acknowledge()
            }
            stage = .endOfTransmission
            return acknowledge()
        case (.endOfTransmission, UInt8(ascii: "B")):
            return acknowledge(outcome: .file(file))
        default:
            return abort("unexpected packet")
        }
    }

    private mutating func acknowledge(_ data: [UInt8] = [], outcome: Outcome? = nil) -> Answer {
        lastAcknowledgement = reply("Y", data)
        expected = (expected + 1) % 64
        guard let outcome else { return Answer(bytes: lastAcknowledgement) }
        return Answer(bytes: lastAcknowledgement, outcome: end(outcome).outcome)
    }

    private func refuse() -> Answer { Answer(bytes: reply("N")) }

    private mutating func abort(_ reason: String) -> Answer {
        lastAcknowledgement = reply("E", Array(reason.utf8))
        return Answer(bytes: lastAcknowledgement, outcome: end(.failed).outcome)
    }

    private mutating func end(_ outcome: Outcome) -> Answer {
        stage = .over
        file = []
        return Answer(outcome: outcome)
    }

    private func reply(_ type: Unicode.Scalar, _ data: [UInt8] = []) -> [UInt8] {
        KermitPacket(sequence: expected, type: UInt8(ascii: type), data: data)
            .encoded(endOfLine: parameters.endOfLine)
    }
}
