import BeaconModel
import HCI
import SystemIO

/// State of the scanning thread between two iterations.
struct ScanningSession {
    var supervisor: RadioSupervisor
    let selector: AdapterSelector
    let path: ScanPathKind
    var open: (any ScanPath)?
    var wasOpened = false
    private var told: RadioState?
    /// Reports a state. Returns whether there was room for it.
    private let report: (RadioState) -> Bool
    var dropped = 0
    /// Drop count of the open path when it was last read.
    private var drops: UInt32 = 0
    private var dropsAskedAt: Duration = .zero
    var lastPackets: Duration = .zero
    /// Whether the last batch was full, so that more packets may be waiting.
    var wasFull = false
    var lastSilence: Duration = .zero
    /// Time at which the controller last confirmed that it scans.
    var answeredAt: Timestamp?
    /// Address of the adapter that was opened first.
    private var address: BluetoothAddress?
    private var adapter: Adapter?
    /// Whether the adapter was on when it was first opened.
    private var wasUp = false
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

    /// Reports the state if it has changed. A state that finds no room is reported in the next iteration.
    mutating func tell() {
        var state = supervisor.state
        state.address = address
        if state != told, report(state) { told = state }
    }

    /// Returns the number of packets dropped since the last check. Checks once a second.
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
        // The results of actions are handled before the next input. The recovery steps end after a few rounds.
        while !inputs.isEmpty {
            let input = inputs.removeFirst()
            let actions = supervisor.handle(input, at: now)
            // A fault is reported before its repair, which may take seconds.
            tell()
            for action in actions {
                guard let result = perform(action) else { continue }
                inputs.append(result)
                if case .failed = result { break }
            }
        }
    }

    /// Switches scanning off and restores the adapter to the state in which it was found.
    mutating func end() throws(ScannerError) {
        defer {
            open = nil
            if path == .userChannel, wasUp, let adapter {
                do throws(ScannerError) { try Adapters.bringUp(adapter) } catch {}
            }
        }
        try open?.stop()
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
                    // A hanging adapter cannot be switched off cleanly. Only switching it on matters.
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
            // A process without permission to query the kernel asks bluetoothd.
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
            if !wasOpened { wasUp = found.isUp }
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
