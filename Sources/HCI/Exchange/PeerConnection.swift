package import BeaconModel

/// A connection to one peer and the dialogue over it, from the first controller command to the last event. A pure state
/// machine: packets and deadlines in, packets and deadlines out.
package struct PeerConnection: Sendable {
    package enum Input: Equatable, Sendable {
        case opened
        /// A packet from the controller, with its type byte.
        case packet([UInt8])
        /// The time set by the last `.wait` has expired.
        case deadline
        /// Abort the attempt and clean up.
        case cancelled
    }

    package enum Action: Equatable, Sendable {
        case send([UInt8])
        /// Deliver `.deadline` after this time. Replaces any deadline requested earlier.
        case wait(Duration)
        case phase(ExchangePhase)
        /// The connection is closed and cleaned up.
        case ended(Result<ExchangeReading, ExchangeError>)
    }

    private enum State: Equatable {
        case asking
        case connecting
        /// The attempt has timed out or was cancelled. A connection may still be established.
        case cancelling(ExchangeError)
        case connected(ACLFrames)
        case disconnecting(UInt16, Result<ExchangeReading, ExchangeError>)
        case over
    }

    /// Time limit for controller operations that do not depend on the peer.
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
        // The connection was established after all.
        case (.connected(0, let handle, let isPublic, let address), .cancelling(let error)):
            guard isPeer(isPublic, address) else { return [] }
            return disconnect(handle, .failure(error))
        // A failed connection must be ours: a controller makes one connection at a time. The event may omit the
        // address.
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

    /// Sends the command to connect. A host must use either legacy or extended commands, not both (3.1.1). Scanners use
    /// the extended scanning commands where the controller supports both of them (6.27: octet 37, bits 5 and 6), so
    /// connecting must use extended commands there too.
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
        // A second reason to give up does not shorten the cleanup in progress.
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
