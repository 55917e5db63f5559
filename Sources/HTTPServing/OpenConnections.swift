import NIOCore
import SystemIO

/// Open connections, with a way to close each of them.
final class OpenConnections: Sendable {
    private struct State {
        var limits: ConnectionLimits
        var channels: [UInt64: any Channel] = [:]
        var last: UInt64 = 0
    }

    private let state: LockedValue<State>

    init(limits: ConnectionLimits) { state = LockedValue(State(limits: limits)) }

    /// Registers a connection.
    ///
    /// - Returns: its identifier; `nil` if it must be closed.
    func open(_ channel: any Channel, by client: String) -> UInt64? {
        let (id, given) = state.withLock { state -> (UInt64?, (any Channel)?) in
            state.last += 1
            let id = state.last
            let opening = state.limits.opened(id, by: client)
            if opening == .refused { return (nil, nil) }
            state.channels[id] = channel
            guard case .takenInPlace(of: let given) = opening else { return (id, nil) }
            return (id, state.channels.removeValue(forKey: given))
        }
        given?.end()
        return id
    }

    func move(_ id: UInt64, to stage: ConnectionLimits.Stage) { state.withLock { $0.limits.moved(id, to: stage) } }

    func close(_ id: UInt64) {
        state.withLock {
            $0.limits.closed(id)
            $0.channels[id] = nil
        }
    }
}
