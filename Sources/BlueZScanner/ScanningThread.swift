import BeaconModel
import SystemIO

/// What runs on the thread of one adapter: moves packets and notices, and does what `RadioSupervisor` decides.
struct ScanningThread: Sendable {
    var selector: AdapterSelector
    var path: ScanPathKind
    var endsWhenNotOpened: Bool
    var wakeup: WakeupPipe
    var requests: LockedValue<AdapterScanner.Requests>
    var continuation: AsyncThrowingStream<AdapterScanner.Event, any Error>.Continuation

    private static let batchLimit = 256
    /// So long packets are gathered before the next batch: a batch costs more than the packets in it.
    private static let gatheringTime: Duration = .milliseconds(10)

    func run() {
        var session = Session(
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

    /// One turn.
    ///
    /// - Returns: whether there is another.
    private func serve(_ session: inout Session) throws(ScannerError) -> Bool {
        tell(&session)
        let (readiness, woken) = wait(for: session)
        if woken {
            wakeup.drain()
            let request = requests.withLock { requests in
                defer { requests.suspicion = nil }
                return requests
            }
            if request.isStopping {
                try session.open?.stop()
                return false
            }
            if let isCertain = request.suspicion { session.handle(.suspected(isCertain: isCertain)) }
        }
        if session.open != nil, readiness.contains(where: { !$0.isEmpty }) { receive(&session) }
        session.handle(.tick)
        if endsWhenNotOpened, !session.wasOpened, let error = session.supervisor.state.error { throw error }
        return true
    }

    /// Until something comes, something is due, or a second is over.
    private func wait(for session: Session) -> (readiness: [Readiness], woken: Bool) {
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
            // As if the time were over; a descriptor that can't be waited for fails when it is read.
            return ([.error], false)
        }
    }

    private func receive(_ session: inout Session) {
        do throws(ScannerError) {
            guard let open = session.open else { return }
            var batch = try open.receive(limit: Self.batchLimit)
            if !batch.isEmpty {
                batch.droppedPackets = session.dropped + session.newDrops(of: open)
                session.handle(.heard)
                session.lastPackets = session.now
                session.wasFull = batch.count >= Self.batchLimit
                tell(&session)
                if case .dropped = continuation.yield(.packets(batch)) {
                    session.dropped += batch.count
                } else {
                    session.dropped = 0
                }
            }
            for notice in try open.notices() { session.handle(notice) }
        } catch {
            session.handle(.failed(error))
        }
    }

    /// Tells what has changed, and every second in which nothing was heard that it was so.
    private func tell(_ session: inout Session) {
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

/// What the thread knows between two turns.
private struct Session {
    var supervisor: RadioSupervisor
    let selector: AdapterSelector
    let path: ScanPathKind
    var open: (any ScanPath)?
    var wasOpened = false
    private var told: RadioState?
    /// Takes a state; gives whether there was room for it.
    private let report: (RadioState) -> Bool
    var dropped = 0
    /// What the open path had dropped when it was last asked.
    private var drops: UInt32 = 0
    private var dropsAskedAt: Duration = .zero
    var lastPackets: Duration = .zero
    /// More was there than one batch took.
    var wasFull = false
    var lastSilence: Duration = .zero
    /// When the controller last said that it scans.
    var answeredAt: Timestamp?
    /// That of the adapter that was opened first.
    private var address: BluetoothAddress?
    private var adapter: Adapter?
    private let start = ContinuousClock.now

    init(
        supervisor: RadioSupervisor, selector: AdapterSelector, path: ScanPathKind,
        report: @escaping (RadioState) -> Bool
    ) {
        self.report = report
        self.supervisor = supervisor
        self.selector = selector
        self.path = path
    }

    var now: Duration { ContinuousClock.now - start }

    /// Tells the state if it has changed; one that finds no room is told at the next turn.
    mutating func tell() {
        if supervisor.state != told, report(supervisor.state) { told = supervisor.state }
    }

    /// How many packets were dropped since it was last asked; it is asked once a second.
    mutating func newDrops(of path: any ScanPath) -> Int {
        let now = now
        guard now - dropsAskedAt >= .seconds(1) else { return 0 }
        dropsAskedAt = now
        let (before, after) = (drops, path.drops)
        drops = after
        return Int(after &- before)
    }

    mutating func handle(_ input: RadioSupervisor.Input) {
        var inputs = [input]
        // What an action brings is taken in before the next input; the ladder ends after a few steps.
        while !inputs.isEmpty {
            let input = inputs.removeFirst()
            let actions = supervisor.handle(input, at: now)
            // A fault is told before its repair, which may take seconds.
            tell()
            for action in actions {
                guard let result = perform(action) else { continue }
                inputs.append(result)
                if case .failed = result { break }
            }
        }
    }

    private mutating func perform(_ action: RadioSupervisor.Action) -> RadioSupervisor.Input? {
        do throws(ScannerError) {
            switch action {
            case .open: return try openAdapter()
            case .close:
                open = nil
                return nil
            case .ask:
                try open?.ask()
            case .rearm(let gently):
                try open?.rearm(gently: gently)
            case .powerCycle:
                if let adapter {
                    // One that hangs can't be switched off cleanly; on is what matters.
                    do throws(ScannerError) { try Adapters.takeDown(adapter) } catch {}
                    if path != .userChannel { try Adapters.bringUp(adapter) }
                }
                return nil
            }
            answeredAt = WallClock.now()
            return .answered
        } catch {
            if case .nobodyScans = error { return .nobodyScans }
            return .failed(error)
        }
    }

    private mutating func openAdapter() throws(ScannerError) -> RadioSupervisor.Input {
        open = nil
        var broughtUp = false
        let chosen: Adapter
        if path == .dbus {
            // Who may not ask the kernel asks bluetoothd.
            guard case .index(let adapter) = selector else { throw .noSuchAdapter(Adapter(index: 0)) }
            chosen = adapter
        } else {
            guard let found = selector.choose(from: try Adapters.list(), lastAddress: address) else {
                if case .index(let adapter) = selector { throw .noSuchAdapter(adapter) }
                throw .noAdapterWithAddress(selector.description)
            }
            chosen = found.adapter
            if path == .raw, !found.isUp {
                try Adapters.bringUp(chosen)
                broughtUp = true
            }
            if address == nil || address?.bits == 0 { address = found.address }
        }
        adapter = chosen
        let opened = try path.open(chosen)
        let mode = try opened.start()
        open = opened
        drops = opened.drops
        wasOpened = true
        answeredAt = WallClock.now()
        return .opened(chosen, mode, broughtUp: broughtUp)
    }
}
