import BeaconModel
import Glibc
import HCI
import SystemIO

/// The loop on the thread of one adapter: forwards packets and events, and carries out the decisions of
/// `RadioSupervisor`.
struct ScanningThread: Sendable {
    var selector: AdapterSelector
    var path: ScanPathKind
    var endsWhenNotOpened: Bool
    var wakeup: WakeupPipe
    var requests: LockedValue<AdapterScanner.Requests>
    var continuation: AsyncThrowingStream<AdapterScanner.Event, any Error>.Continuation

    private static let batchLimit = 256
    /// Time for which packets are gathered before the next batch. A batch costs more than the packets in it.
    private static let gatheringTime: Duration = .milliseconds(20)

    func run() {
        var session = ScanningSession(
            supervisor: RadioSupervisor(adapter: firstGuess, path: path), selector: selector, path: path
        ) { [continuation] state in
            if case .enqueued = continuation.yield(.state(state)) { true } else { false }
        }
        do throws(ScannerError) {
            while try serve(&session) {}
            continuation.finish()
        } catch {
            continuation.finish(throwing: error)
        }
    }

    private var firstGuess: Adapter {
        if case .index(let adapter) = selector { adapter } else { Adapter(index: 0) }
    }

    /// Runs one iteration.
    ///
    /// - Returns: whether to continue.
    private func serve(_ session: inout ScanningSession) throws(ScannerError) -> Bool {
        tell(&session)
        let (readiness, woken) = wait(for: session)
        if woken {
            wakeup.drain()
            let request = requests.withLock { requests in
                defer { (requests.suspicion, requests.isRescan) = (nil, false) }
                return requests
            }
            if request.isStopping {
                do throws(ScannerError) {
                    try session.end()
                } catch {
                    // A daemon that is stopping ignores it if another program has already switched the adapter off.
                    if endsWhenNotOpened { throw error }
                }
                return false
            }
            if let isCertain = request.suspicion { session.handle(.suspected(isCertain: isCertain)) }
            if request.isRescan { session.handle(.rescan) }
        }
        if session.open != nil, readiness.contains(where: { !$0.isEmpty }) { receive(&session) }
        session.handle(.tick)
        if endsWhenNotOpened, !session.wasOpened, let error = session.supervisor.state.error { throw error }
        return true
    }

    /// Waits until data arrives, an action is due or a second has passed.
    private func wait(for session: ScanningSession) -> (readiness: [Readiness], woken: Bool) {
        let now = session.now
        let due = session.supervisor.wakeAt.map { max(.zero, $0 - now) } ?? .seconds(1)
        let gathering = session.lastPackets + Self.gatheringTime - now
        do throws(SystemError) {
            if gathering > .zero, !session.wasFull {
                let woken = try waitUntilReady(anyOf: [], for: .readable, wakeup: wakeup, timeout: gathering).woken
                if woken { return ([], true) }
            }
            return try waitUntilReady(
                anyOf: session.open?.descriptors ?? [], for: .readable, wakeup: wakeup, timeout: min(due, .seconds(1)))
        } catch {
            // Treated as a timeout. A descriptor that cannot be polled fails when it is read.
            usleep(100_000)
            return ([.error], false)
        }
    }

    private func receive(_ session: inout ScanningSession) {
        do throws(ScannerError) {
            guard let open = session.open else { return }
            var batch = try open.receive(limit: Self.batchLimit)
            if !batch.isEmpty {
                let dropped = session.dropped + session.newDrops(of: open)
                batch.droppedPackets = dropped
                session.handle(.heard)
                session.lastPackets = session.now
                session.wasFull = batch.count >= Self.batchLimit
                tell(&session)
                if case .dropped = continuation.yield(.packets(batch)) {
                    session.dropped = dropped + batch.count
                } else {
                    session.dropped = 0
                }
            }
            for notice in try open.notices() { session.handle(notice) }
        } catch {
            session.handle(.failed(error))
        }
    }

    /// Reports changes of state, and every second without received packets reports the silence.
    private func tell(_ session: inout ScanningSession) {
        let state = session.supervisor.state
        session.tell()
        let now = session.now
        if now - max(session.lastPackets, session.lastSilence) >= .seconds(1) {
            session.lastSilence = now
            let heardUntil = state.condition == .quiet ? session.answeredAt : nil
            continuation.yield(.silence(now: WallClock.now(), heardUntil: heardUntil))
        }
    }
}
