package import BeaconModel

/// A connection to one peer and the dialogue over it, from the first command to a controller to the last event, as a
/// value: packets and deadlines in, packets and deadlines out.
package struct PeerConnection: Sendable {
    package enum Input: Equatable, Sendable {
        case opened
        /// Whatever came from the controller, with its type.
        case packet([UInt8])
        /// The time of the last `.wait` is over.
        case deadline
        /// Give up, but leave nothing behind.
        case cancelled
    }

    package enum Action: Equatable, Sendable {
        case send([UInt8])
        /// Give `.deadline` after this time, instead of at any earlier asked-for time.
        case wait(Duration)
        case phase(ExchangePhase)
        /// There is nothing left to do.
        case ended(Result<ExchangeReading, ExchangeError>)
    }

    private enum State: Equatable {
        case asking
        case connecting
        /// It took too long; a connection may still come.
        case cancelling(ExchangeError)
        case connected(ACLFrames)
        case disconnecting(UInt16, Result<ExchangeReading, ExchangeError>)
        case over
    }

    /// How long a controller may take to do what doesn't depend on the peer.
    static let controllerTimeout: Duration = .seconds(1)

    private let adapter: Adapter
    private let peer: ExchangePeer
    private let connectionTimeout: Duration
    private var exchange: ATTExchange
    private var state = State.asking
    private var hasAnswered = false

    package init(adapter: Adapter, peer: ExchangePeer, connectionTimeout: Duration, exchange: ATTExchange) {
        self.adapter = adapter
        self.peer = peer
        self.connectionTimeout = connectionTimeout
        self.exchange = exchange
    }

    package mutating func handle(_ input: Input) -> [Action] {
        switch input {
        case .opened:
            return [
                .send(HCIPacket.command(HCIPacket.OpCode.readLocalSupportedCommands)), .wait(Self.controllerTimeout),
            ]
        case .packet(let packet):
            if packet.first == HCIPacket.data { return receive(data: packet) }
            guard let event = HCIPacket.read(event: packet) else { return [] }
            return receive(event)
        case .deadline: return giveUp(because: nil)
        case .cancelled: return giveUp(because: .cancelled)
        }
    }

    private mutating func receive(_ event: HCIPacket.Event) -> [Action] {
        switch (event, state) {
        case (.answered(HCIPacket.OpCode.readLocalSupportedCommands, let status, let values), .asking):
            return connect(status: status, commands: values)
        case (.answered(HCIPacket.OpCode.createConnection, let status, _), .connecting) where status != 0,
            (.answered(HCIPacket.OpCode.extendedCreateConnection, let status, _), .connecting) where status != 0:
            return end(.failure(.controllerRefused(adapter, status: status)))
        case (.connected(0, let handle, let isPublic, let address), .connecting):
            guard isPeer(isPublic, address) else { return [] }
            state = .connected(ACLFrames(handle: handle))
            return [.phase(.connected)] + follow(exchange.handle(.opened))
        // It came after all.
        case (.connected(0, let handle, let isPublic, let address), .cancelling(let error)):
            guard isPeer(isPublic, address) else { return [] }
            return disconnect(handle, .failure(error))
        // What fails is ours: a controller makes one connection at a time. The address may be left out.
        case (.connected(let status, _, _, _), .connecting) where status != 0: return end(.failure(.notReached))
        case (.connected(let status, _, _, _), .cancelling(let error)) where status != 0:
            return end(.failure(error))
        case (.disconnected(let handle), .connected(let frames)) where frames.handle == handle:
            return end(.failure(.connectionLost))
        case (.disconnected(let handle), .disconnecting(let ours, let result)) where ours == handle:
            return end(result)
        default: return []
        }
    }

    private func isPeer(_ isPublic: Bool, _ address: BluetoothAddress) -> Bool {
        isPublic == peer.isAddressPublic && address == peer.address
    }

    /// Commands of one kind only may be used, legacy or extended (3.1.1); a scanner uses the extended ones where there
    /// are both of them for scanning (6.27: octet 37, bits 5 and 6).
    private mutating func connect(status: UInt8, commands: [UInt8]) -> [Action] {
        guard status == 0, commands.count > 37 else {
            return end(.failure(.controllerRefused(adapter, status: status)))
        }
        let isExtended = commands[37] & 0x60 == 0x60
        guard !isExtended || commands[37] & 0x80 != 0 else { return end(.failure(.cannotConnect(adapter))) }
        state = .connecting
        return [
            .phase(.connecting), .send(HCIPacket.createConnection(to: peer, isExtended: isExtended)),
            .wait(connectionTimeout),
        ]
    }

    private mutating func receive(data packet: [UInt8]) -> [Action] {
        guard case .connected(var frames) = state else { return [] }
        let pdu = frames.receive(packet)
        state = .connected(frames)
        guard let pdu else { return [] }
        let news: [Action] = hasAnswered ? [] : [.phase(.answered)]
        hasAnswered = true
        return news + follow(exchange.handle(.received(pdu)))
    }

    private mutating func follow(_ actions: [ATTExchange.Action]) -> [Action] {
        guard case .connected(let frames) = state else { return [] }
        var followed: [Action] = []
        for action in actions {
            switch action {
            case .send(let pdu): followed.append(.send(frames.packet(with: pdu)))
            case .wait(let time): followed.append(.wait(time))
            case .finished(let reading): followed += disconnect(frames.handle, .success(reading))
            case .failed(let error): followed += disconnect(frames.handle, .failure(error))
            }
        }
        return followed
    }

    private mutating func giveUp(because error: ExchangeError?) -> [Action] {
        switch state {
        case .asking: return end(.failure(error ?? .controllerIsMute(adapter)))
        case .connecting:
            state = .cancelling(error ?? .notReached)
            return [
                .send(HCIPacket.command(HCIPacket.OpCode.createConnectionCancel)), .wait(Self.controllerTimeout),
            ]
        case .connected(let frames):
            return error.map { disconnect(frames.handle, .failure($0)) } ?? follow(exchange.handle(.deadline))
        // A second reason to give up doesn't hurry what is being tidied up.
        case .cancelling(let first): return error == nil ? end(.failure(first)) : []
        case .disconnecting(_, let result): return error == nil ? end(result) : []
        case .over: return []
        }
    }

    private mutating func disconnect(
        _ handle: UInt16, _ result: Result<ExchangeReading, ExchangeError>
    ) -> [Action] {
        state = .disconnecting(handle, result)
        return [.send(HCIPacket.disconnect(handle)), .wait(Self.controllerTimeout)]
    }

    private mutating func end(_ result: Result<ExchangeReading, ExchangeError>) -> [Action] {
        state = .over
        return [.phase(.ended), .ended(result)]
    }
}
