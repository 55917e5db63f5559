package import BeaconModel

/// Watches over one adapter: decides when it is deaf, and what is done about it. Pure: what happened and when goes in,
/// what is to be done comes out.
///
/// The ladder: scanning is switched on again; the adapter is switched off and on; all is left alone for a while, that
/// doubles each time, and then begun anew.
package struct RadioSupervisor: Sendable {
    package enum Input: Sendable {
        /// The adapter is open and scans.
        case opened(Adapter, ScanMode, broughtUp: Bool)
        /// Opening or the last action failed, or receiving did.
        case failed(ScannerError)
        /// At least one packet came.
        case heard
        /// The controller answered the question whether it scans, or took the commands to scan.
        case answered
        /// Another program ended the scan or switched the duplicate filter on.
        case scanTakenOver
        /// Nobody scans, and this path can't.
        case nobodyScans
        case switchedOff
        case vanished
        case hardwareError(code: UInt8)
        /// An adapter appeared, or was switched on.
        case appeared
        /// What should be heard isn't. `isCertain` when another receiver hears it, or it is one of our own beacons.
        case suspected(isCertain: Bool)
        /// A person wants scanning switched on anew, now.
        case rescan
        /// Nothing happened.
        case tick
    }

    package enum Action: Equatable, Sendable {
        /// Open the adapter and scan.
        case open
        /// Close what is open.
        case close
        /// Ask whether the controller answers and scans.
        case ask
        /// Switch scanning on, whatever it was; `gently` when somebody else may be using it too.
        case rearm(gently: Bool)
        /// Switch the adapter off and on; it is closed.
        case powerCycle
    }

    /// After this silence the controller is asked whether it scans.
    static let askAfter: Duration = .seconds(2)
    /// Further questions while the silence lasts.
    static let askEvery: Duration = .seconds(5)
    /// Of those questions each twelfth is a whole new start of the scan.
    static let rearmEvery = 12
    /// Another program's commands come in groups, which ours would disturb.
    package static let settle: Duration = .milliseconds(150)
    /// Between two repairs of what another program does, however often it does it.
    static let shortestRepair: Duration = .seconds(1)
    /// Somebody who switches the adapter off and on has time for the second.
    static let bringUpAfter: Duration = .seconds(2)
    /// How often an adapter that isn't there, or is blocked, is looked for: it costs nothing.
    static let lookEvery: Duration = .seconds(1)
    /// How long a step may take to help against silence.
    static let stepTime: Duration = .seconds(3)
    static let firstPause: Duration = .seconds(2)
    package static let longestPause: Duration = .seconds(60)
    /// Between two rounds of steps against a silence that no step ends: they disturb others who use the adapter.
    static let longestSilentPause: Duration = .seconds(600)

    package private(set) var state: RadioState
    private let canScan: Bool
    private var isOpen = false
    /// When something is due; `nil` when nothing is.
    package private(set) var wakeAt: Duration? = .zero
    private var due: Due? = .open

    private var lastHeard: Duration = .zero
    private var questions = 0
    /// When the last repair of another program's doing began.
    private var repairedAt: Duration?
    /// When the other program's doing began that waits for its repair.
    private var takenOverAt: Duration = .zero
    /// Steps of the ladder since something was last heard.
    private var rung = 0
    private var pause = firstPause
    private var suspicion: Bool?

    private enum Due {
        case open, ask, repair, climb
    }

    /// - Parameter canScan: `false` for a path that only listens.
    package init(adapter: Adapter, path: ScanPathKind) {
        state = RadioState(adapter: adapter, path: path)
        canScan = path != .monitor
    }

    /// Takes in what happened; gives what is to be done at once, in this order.
    package mutating func handle(_ input: Input, at now: Duration) -> [Action] {
        switch input {
        case .opened(let adapter, let mode, let broughtUp):
            isOpen = true
            state.adapter = adapter
            state.mode = mode
            if broughtUp { count(.bringUp) }
            lastHeard = now
            questions = 0
            // That it was opened is no proof that it hears, when it was opened because it didn't, or only listens.
            if suspicion == nil, canScan { become(.quiet) }
            schedule(suspicion == nil ? .ask : .climb, at: now + (suspicion == nil ? Self.askAfter : Self.stepTime))
            return []
        case .heard:
            lastHeard = now
            guard isOpen else { return [] }
            if state.condition != .hearing || rung > 0 || suspicion != nil {
                become(.hearing)
                rung = 0
                pause = Self.firstPause
                suspicion = nil
            }
            if due != .repair { schedule(.ask, at: now + Self.askAfter) }
            questions = 0
            return []
        case .answered:
            if isOpen, suspicion == nil, now - lastHeard >= Self.askAfter { become(.quiet) }
            return []
        case .tick: return tick(now)
        case .scanTakenOver:
            guard isOpen else { return [] }
            if due != .repair {
                state.faults[.scanStopped, default: 0] += 1
                takenOverAt = now
            }
            let earliest = repairedAt.map { $0 + Self.shortestRepair } ?? .zero
            // Commands without an end aren't waited for.
            schedule(.repair, at: max(min(now + Self.settle, takenOverAt + Self.shortestRepair), earliest))
            return []
        case .nobodyScans:
            if isOpen { become(deaf: .scanStopped, error: .nobodyScans(state.adapter)) }
            return []
        case .switchedOff:
            guard isOpen else { return [] }
            become(deaf: .down, error: .down(state.adapter))
            return closing(openAt: now + Self.bringUpAfter)
        case .vanished: return failed(.removed(state.adapter), now)
        case .hardwareError(let code):
            guard isOpen else { return [] }
            become(deaf: .hardwareError, error: .hardwareError(state.adapter, code: code))
            // The kernel resets the controller by itself; one that fails again and again is given time.
            let wait = pause == Self.firstPause ? Self.lookEvery : pause
            pause = min(pause * 2, Self.longestPause)
            return closing(openAt: now + wait)
        case .appeared:
            // Its driver is given a moment.
            if !isOpen, due == .open, state.reason != .down {
                schedule(.open, at: min(wakeAt ?? now + Self.settle * 2, now + Self.settle * 2))
            }
            return []
        case .suspected(let isCertain):
            // What was suspected before it was opened again is no suspicion of what it does now.
            guard isOpen, now - lastHeard >= HearingWatch.shortestSilence - .seconds(1) else { return [] }
            guard suspicion == nil else {
                if isCertain { suspicion = true }
                return []
            }
            suspicion = isCertain
            become(deaf: .silent, error: .silent(state.adapter))
            rung = 0
            return climb(now)
        case .rescan:
            guard isOpen else {
                // One that waits for its next attempt has it now.
                if due == .open {
                    pause = Self.firstPause
                    schedule(.open, at: now)
                }
                return []
            }
            guard canScan else { return [] }
            return rearm(now, gently: false)
        case .failed(let error): return failed(error, now)
        }
    }

    private mutating func tick(_ now: Duration) -> [Action] {
        guard let wakeAt, let due, wakeAt <= now else { return [] }
        switch due {
        case .open:
            schedule(nil, at: nil)
            return [.open]
        case .ask:
            questions += 1
            schedule(.ask, at: now + Self.askEvery)
            guard canScan, questions % Self.rearmEvery == 0 else { return [.ask] }
            return [.rearm(gently: false)]
        case .repair: return rearm(now, gently: true)
        case .climb: return climb(now)
        }
    }

    private mutating func rearm(_ now: Duration, gently: Bool) -> [Action] {
        repairedAt = now
        count(.rearm)
        if suspicion == nil {
            schedule(.ask, at: now + Self.askAfter)
        } else {
            schedule(.climb, at: now + Self.stepTime)
        }
        return [.rearm(gently: gently)]
    }

    /// The next step against a silence that shouldn't be.
    private mutating func climb(_ now: Duration) -> [Action] {
        rung += 1
        switch rung {
        case 1 where canScan:
            count(.rearm)
            schedule(.climb, at: now + Self.stepTime)
            return [.rearm(gently: false)]
        case 1, 2:
            guard state.path == .raw || state.path == .userChannel else { return giveUp(now) }
            count(.powerCycle)
            isOpen = false
            schedule(nil, at: nil)
            return [.close, .powerCycle, .open]
        default: return giveUp(now)
        }
    }

    private mutating func giveUp(_ now: Duration) -> [Action] {
        count(.giveUp)
        if suspicion == false {
            // The adapter has been through everything and answers: nobody is there.
            suspicion = nil
            rung = 0
            become(.quiet)
            schedule(.ask, at: now + Self.askEvery)
            return []
        }
        rung = 0
        pause = min(pause * 2, Self.longestSilentPause)
        schedule(.climb, at: now + pause)
        return []
    }

    private mutating func failed(_ error: ScannerError, _ now: Duration) -> [Action] {
        let wasOpen = isOpen
        // One that has been there was unplugged.
        if error.reason == .noSuchAdapter, state.mode != nil {
            become(deaf: .removed, error: .removed(state.adapter))
        } else {
            become(deaf: error.reason, error: error)
        }
        switch error.reason {
        case .removed, .noSuchAdapter, .blocked: return closing(openAt: now + Self.lookEvery)
        case .down: return closing(openAt: now + Self.bringUpAfter)
        case .notAnswering where rung == 0 && (state.path == .raw || state.path == .userChannel):
            rung = 1
            count(.powerCycle)
            isOpen = false
            schedule(nil, at: nil)
            return wasOpen ? [.close, .powerCycle, .open] : [.powerCycle, .open]
        default:
            count(.giveUp)
            rung = 0
            let wait = pause
            pause = min(pause * 2, Self.longestPause)
            return closing(openAt: now + wait)
        }
    }

    private mutating func closing(openAt time: Duration) -> [Action] {
        let wasOpen = isOpen
        isOpen = false
        suspicion = nil
        if wasOpen { count(.reopen) }
        schedule(.open, at: time)
        return wasOpen ? [.close] : []
    }

    private mutating func become(_ condition: RadioState.Condition) {
        state.condition = condition
        state.reason = nil
        state.error = nil
    }

    private mutating func become(deaf reason: RadioState.Reason, error: ScannerError) {
        if state.reason != reason { state.faults[reason, default: 0] += 1 }
        state.condition = .deaf
        state.reason = reason
        state.error = error
    }

    private mutating func count(_ step: RadioState.Step) { state.steps[step, default: 0] += 1 }

    private mutating func schedule(_ due: Due?, at time: Duration?) {
        self.due = due
        wakeAt = time
    }
}
