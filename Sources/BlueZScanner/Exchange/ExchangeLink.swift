package import BeaconModel
import CBluetooth
import Glibc
package import HCI
import SystemIO

/// Connects to peers through one adapter, with raw commands and data, in parallel with a scanner.
///
/// A scan continues while the controller connects, if the controller can do both. The kernel notices when the
/// connection is established and switches scanning off; the scanner must then start again (see `ExchangePhase`). The
/// kernel knows of no user of the connection, so it ends the connection after about two seconds, whatever this process
/// does.
///
/// L2CAP sockets would work without privileges but are not used. For them the kernel replaces the scan with one of its
/// own, and Linux 6.1.192 crashes when the peer ends a connection on which such a socket is open.
///
/// Needs the capability CAP_NET_RAW. Shares the attribute channel with bluetoothd. If bluetoothd runs and sends
/// requests of its own to the peer, the answers are mixed up and the exchange fails.
package struct ExchangeLink: Sendable {
    /// Time limit for connecting. The peer must advertise at least once in that time.
    package static let connectionTimeout: Duration = .seconds(2)

    private let adapter: Adapter
    private let connectionTimeout: Duration
    private let wakeup: WakeupPipe

    /// - Throws: `SystemError` when the process has run out of file descriptors.
    package init(adapter: Adapter, connectionTimeout: Duration = Self.connectionTimeout) throws(SystemError) {
        self.adapter = adapter
        self.connectionTimeout = connectionTimeout
        wakeup = try WakeupPipe()
    }

    /// Cancels all current and future exchanges.
    package func cancel() { wakeup.wake() }

    /// Performs one exchange on a dedicated thread. Takes at most `connectionTimeout` plus `ATTExchange.limit` plus two
    /// seconds.
    ///
    /// - Parameters:
    ///   - ownCode: the code written to the peer, if its app accepts one; `nil` writes nothing.
    ///   - onPhase: called on that thread; must not block.
    package func exchange(
        with peer: ExchangePeer, ownCode: UInt64?, onPhase: @escaping @Sendable (ExchangePhase) -> Void = { _ in }
    ) async -> Result<ExchangeReading, ExchangeError> {
        do throws(SystemError) {
            return try await DedicatedThread.run(name: "exchange-\(adapter)") {
                guard let profile = ExchangeProfile.of(peer.app) else { return .failure(.noService) }
                var connection = PeerConnection(
                    adapter: adapter, peer: peer, connectionTimeout: connectionTimeout,
                    exchange: ATTExchange(profile, ownCode: ownCode))
                do throws(ExchangeError) {
                    return try run(&connection, onPhase)
                } catch {
                    // The state of the controller is unknown.
                    onPhase(.ended)
                    return .failure(error)
                }
            }
        } catch {
            return .failure(.system(error))
        }
    }

    private func run(
        _ connection: inout PeerConnection, _ onPhase: (ExchangePhase) -> Void
    ) throws(ExchangeError) -> Result<ExchangeReading, ExchangeError> {
        let socket = try ControllerSocket(adapter: adapter)
        var deadline: ContinuousClock.Instant?
        var actions = connection.handle(.opened)
        var isCancelled = false
        while true {
            for action in actions {
                switch action {
                case .send(let packet): try socket.send(packet)
                case .wait(let time): deadline = .now + time
                case .phase(let phase): onPhase(phase)
                case .ended(let result): return result
                }
            }
            if let deadline, deadline <= .now {
                actions = connection.handle(.deadline)
                continue
            }
            let (isReady, woken) = try socket.wait(
                wakeup: isCancelled ? nil : wakeup, timeout: deadline.map { $0 - .now })
            if woken {
                isCancelled = true
                actions = connection.handle(.cancelled)
            } else if isReady, let packet = try socket.receive() {
                actions = connection.handle(.packet(packet))
            } else {
                actions = []
            }
        }
    }
}
