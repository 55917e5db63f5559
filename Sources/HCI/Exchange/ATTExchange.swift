/// The dialogue with one peer over its attribute channel, as a pure state machine: events in, actions out.
///
/// It discovers the app's service and its characteristics, reads the peer's code and writes ours (Bluetooth Core
/// Specification 5.4, Vol 3, Part G, 4.4.2, 4.6.1, 4.8.1, 4.9). All of it fits the default MTU of 23 bytes.
public struct ATTExchange: Sendable {
    /// Time limit for a complete dialogue. (The specification allows 30 s per request: Vol 3, Part F, 3.3.3.)
    public static let limit: Duration = .seconds(5)
    /// Maximum number of PDUs accepted from a peer. A dialogue needs fewer than ten if the service has few
    /// characteristics.
    static let mostPDUs = 64

    /// An event for the dialogue.
    public enum Input: Equatable, Sendable {
        /// The connection is established.
        case opened
        /// One complete PDU was received.
        case received([UInt8])
        /// The time set by `.wait` has expired.
        case deadline
    }

    /// An action that the owner of the dialogue carries out.
    public enum Action: Equatable, Sendable {
        /// Send a PDU to the peer.
        case send([UInt8])
        /// Deliver `.deadline` after this time.
        case wait(Duration)
        /// The dialogue succeeded: close the connection.
        case finished(ExchangeReading)
        /// The dialogue failed: close the connection.
        case failed(ExchangeError)
    }

    /// The step that is in progress.
    public enum Step: String, Equatable, Sendable {
        /// Nothing has been sent yet.
        case opening = "opening"
        /// The MTU is being agreed on.
        case mtu = "agreeing on an MTU"
        /// The service is being looked for.
        case service = "looking for the service"
        /// The characteristics of the service are being looked for.
        case characteristics = "looking for characteristics"
        /// The peer's code is being read.
        case reading = "reading the code"
        /// The own code is being written.
        case writing = "writing our code"
        /// The dialogue has nothing more to ask.
        case over = "the exchange was complete"
    }

    private let profile: ExchangeProfile
    private let ownCode: UInt64?
    /// MTU to request from the peer; `nil` keeps the default without a request.
    private let offeredMTU: UInt16?
    /// The step that the dialogue has reached.
    public private(set) var step = Step.opening
    private var mtu = ATT.defaultMTU
    private var received = 0
    /// Handles that have not yet been searched for characteristics.
    private var unseen: ClosedRange<UInt16> = 1...1
    private var readHandle: UInt16?
    private var write: CharacteristicDeclaration?
    private var reading: ExchangeReading?
    private var hasSentCommand = false

    /// Creates a dialogue that has not begun.
    ///
    /// - Parameters:
    ///   - ownCode: the code written to the peer; `nil` writes nothing.
    ///   - mtu: the MTU to request from the peer in bytes, at least 23; `nil` sends no request.
    public init(_ profile: ExchangeProfile, ownCode: UInt64?, mtu: UInt16? = nil) {
        self.profile = profile
        self.ownCode = ownCode
        offeredMTU = mtu.map { max($0, ATT.defaultMTU) }
    }

    /// Processes an event and returns the actions to take. Returns none after `.finished` or `.failed`.
    public mutating func handle(_ input: Input) -> [Action] {
        guard step != .over else { return [] }
        do throws(ExchangeError) {
            switch input {
            case .opened:
                guard step == .opening else { return [] }
                return [.wait(Self.limit), begin()]
            case .received(let pdu):
                received += 1
                guard received <= Self.mostPDUs else { throw .tooManyPDUs }
                return try receive(pdu)
            case .deadline: throw .tooSlow(during: step)
            }
        } catch {
            step = .over
            return [.failed(error)]
        }
    }

    private mutating func begin() -> Action {
        if let offeredMTU {
            step = .mtu
            return .send([ATT.Opcode.mtuRequest] + offeredMTU.transmitted)
        }
        step = .service
        return .send(ATT.findService(profile.service))
    }

    private mutating func receive(_ pdu: [UInt8]) throws(ExchangeError) -> [Action] {
        guard let opcode = pdu.first else { throw .malformed(opcode: nil, .empty) }
        guard pdu.count <= mtu else { throw .malformed(opcode: opcode, .tooLong) }
        // An MTU requested by the peer and granted by us applies to both directions at once (Vol 3, Part F, 3.4.2.2).
        if opcode == ATT.Opcode.mtuRequest, pdu.count == 3, let theirs = pdu.number16(at: 1) {
            mtu = max(mtu, min(theirs, offeredMTU ?? ATT.defaultMTU))
        }
        if let reply = try PeerRequest.reply(to: pdu, opcode: opcode, mtu: offeredMTU ?? ATT.defaultMTU) {
            switch reply {
            case .nothing: return []
            case .send(let answer): return [.send(answer)]
            }
        }
        switch (step, opcode) {
        case (_, ATT.Opcode.errorResponse): return try refused(pdu)
        case (.mtu, ATT.Opcode.mtuResponse): return try agreed(pdu)
        case (.service, ATT.Opcode.findByTypeValueResponse): return try foundService(pdu)
        case (.characteristics, ATT.Opcode.readByTypeResponse): return try foundCharacteristics(pdu)
        case (.reading, ATT.Opcode.readResponse): return try read(pdu)
        case (.writing, ATT.Opcode.writeResponse):
            guard pdu.count == 1 else { throw .malformed(opcode: opcode, .tooLong) }
            return finish(gaveOwnCode: true)
        default: throw .unexpected(opcode: opcode, during: step)
        }
    }

    /// Handles an Error Response, which contains the request, handle and reason (Vol 3, Part F, 3.4.1.1).
    private mutating func refused(_ pdu: [UInt8]) throws(ExchangeError) -> [Action] {
        guard pdu.count >= 5 else { throw .malformed(opcode: pdu[0], .tooShort) }
        guard pdu.count == 5 else { throw .malformed(opcode: pdu[0], .tooLong) }
        guard pdu[1] == pendingRequest else { throw .unexpected(opcode: pdu[0], during: step) }
        switch (step, pdu[4]) {
        case (.mtu, ATT.Reason.requestNotSupported):
            step = .service
            return [.send(ATT.findService(profile.service))]
        case (.service, ATT.Reason.attributeNotFound): throw .noService
        case (.characteristics, ATT.Reason.attributeNotFound): return try knowCharacteristics()
        // The peer's code is already known. It stays valid if the peer refuses ours.
        case (.writing, _): return finish(gaveOwnCode: false)
        case (_, let reason): throw .refused(during: step, reason: reason)
        }
    }

    private var pendingRequest: UInt8? {
        switch step {
        case .opening, .over: nil
        case .mtu: ATT.Opcode.mtuRequest
        case .service: ATT.Opcode.findByTypeValueRequest
        case .characteristics: ATT.Opcode.readByTypeRequest
        case .reading: ATT.Opcode.readRequest
        case .writing: ATT.Opcode.writeRequest
        }
    }

    private mutating func agreed(_ pdu: [UInt8]) throws(ExchangeError) -> [Action] {
        guard let theirs = pdu.number16(at: 1) else { throw .malformed(opcode: pdu[0], .tooShort) }
        guard pdu.count == 3 else { throw .malformed(opcode: pdu[0], .tooLong) }
        guard theirs >= ATT.defaultMTU else { throw .malformed(opcode: pdu[0], .smallMTU) }
        mtu = min(theirs, offeredMTU ?? ATT.defaultMTU)
        step = .service
        return [.send(ATT.findService(profile.service))]
    }

    /// Handles a Find By Type Value Response (Vol 3, Part F, 3.4.3.4). It lists the services with the UUID; the first
    /// one is used.
    private mutating func foundService(_ pdu: [UInt8]) throws(ExchangeError) -> [Action] {
        guard let first = pdu.number16(at: 1), let last = pdu.number16(at: 3) else {
            throw .malformed(opcode: pdu[0], .tooShort)
        }
        guard (pdu.count - 1).isMultiple(of: 4) else { throw .malformed(opcode: pdu[0], .raggedList) }
        guard first >= 1, last >= first else { throw .malformed(opcode: pdu[0], .impossibleHandles) }
        guard last > first else { throw .noCharacteristic }
        unseen = first + 1...last
        step = .characteristics
        return [.send(ATT.findCharacteristics(in: unseen))]
    }

    private mutating func foundCharacteristics(_ pdu: [UInt8]) throws(ExchangeError) -> [Action] {
        let declarations = try CharacteristicDeclaration.list(in: pdu, asked: unseen)
        for declaration in declarations {
            switch profile.source {
            case .identifier(let upper, let reserved):
                guard let uuid = declaration.uuid, uuid.upper == upper, !reserved.contains(uuid.lower) else { continue }
                reading = ExchangeReading(code: uuid.lower, gaveOwnCode: false)
                return finish(gaveOwnCode: false)
            case .value(let read, let write):
                if declaration.uuid == read { readHandle = readHandle ?? declaration.valueHandle }
                if declaration.uuid == write { self.write = self.write ?? declaration }
            }
        }
        let isComplete = readHandle != nil && (write != nil || ownCode == nil)
        guard !isComplete, let last = declarations.last?.valueHandle, last < unseen.upperBound else {
            return try knowCharacteristics()
        }
        unseen = last + 1...unseen.upperBound
        return [.send(ATT.findCharacteristics(in: unseen))]
    }

    private mutating func knowCharacteristics() throws(ExchangeError) -> [Action] {
        guard let readHandle else { throw .noCharacteristic }
        step = .reading
        let read = Action.send([ATT.Opcode.readRequest] + readHandle.transmitted)
        // A command is not answered. PDUs are processed in order, so the answer to the following request confirms that
        // the command has arrived.
        if let ownCode, let write, write.properties & ATT.Property.write == 0,
            write.properties & ATT.Property.writeWithoutResponse != 0
        {
            hasSentCommand = true
            return [
                .send([ATT.Opcode.writeCommand] + write.valueHandle.transmitted + ownCode.transmitted), read,
            ]
        }
        return [read]
    }

    private mutating func read(_ pdu: [UInt8]) throws(ExchangeError) -> [Action] {
        guard pdu.count == 1 + 8 else { throw .wrongCodeLength(pdu.count - 1) }
        reading = ExchangeReading(
            code: UInt64(transmitted: pdu.dropFirst()), gaveOwnCode: hasSentCommand)
        guard let ownCode, let write, write.properties & ATT.Property.write != 0 else {
            return finish(gaveOwnCode: hasSentCommand)
        }
        step = .writing
        return [.send([ATT.Opcode.writeRequest] + write.valueHandle.transmitted + ownCode.transmitted)]
    }

    private mutating func finish(gaveOwnCode: Bool) -> [Action] {
        guard var reading else { return [] }
        step = .over
        reading.gaveOwnCode = gaveOwnCode
        return [.finished(reading)]
    }
}
