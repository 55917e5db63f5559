package import BeaconModel
import CBluetooth
import Glibc
package import HCI
import SystemIO

/// Connects to peers through one adapter, by raw commands and data beside those of a scanner.
///
/// A scan goes on while a controller connects, if the controller can do both. The kernel, which hears of the
/// connection, switches scanning off when it comes about; so whoever scans has to begin again then; see `ExchangePhase`. As the
/// kernel knows of nobody who uses the connection, it ends it after about two seconds, whatever this process does.
///
/// L2CAP sockets, which would do the same without privileges, aren't used: for them the kernel replaces the scan by one
/// of its own, and Linux 6.1.192 crashes when the peer ends a connection on which such a socket is open.
///
/// Needs the capability CAP_NET_RAW. It shares the attribute channel with bluetoothd, if that runs and asks the peer
/// questions of its own: then the answers are mixed up, and the exchange fails.
package struct ExchangeLink: Sendable {
    /// How long a peer may take to be connected. It has to advertise once in that time.
    package static let connectionTimeout: Duration = .seconds(2)

    private let adapter: Adapter
    private let connectionTimeout: Duration
    private let wakeup: WakeupPipe

    /// - Throws: `SystemError` when the process has no descriptors left.
    package init(adapter: Adapter, connectionTimeout: Duration = Self.connectionTimeout) throws(SystemError) {
        self.adapter = adapter
        self.connectionTimeout = connectionTimeout
        wakeup = try WakeupPipe()
    }

    /// Breaks off every present and later exchange.
    package func cancel() { wakeup.wake() }

    /// One exchange, on a thread of its own; takes `connectionTimeout`, `ATTExchange.limit` and two seconds at most.
    ///
    /// - Parameters:
    ///   - ownCode: what the peer is given, if its app takes something; `nil`: nothing.
    ///   - onPhase: is called on that thread, and must not block.
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
                    // What the controller was doing is unknown.
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
