package import BeaconModel

/// Supervises one adapter: decides when it is deaf and how to recover. Pure: events with their times in, actions out.
///
/// The recovery steps are: switch scanning on again; switch the adapter off and on; wait, then start over. The wait
/// doubles each time.
package struct RadioSupervisor: Sendable {
    package enum Input: Sendable {
        /// The adapter is open and scans.
        case opened(Adapter, ScanMode, broughtUp: Bool)
        /// Opening, the last action or receiving failed.
        case failed(ScannerError)
        /// At least one packet was received.
        case heard
        /// The controller confirmed that it scans, or accepted the commands to scan.
        case answered
        /// Another program ended the scan or switched the duplicate filter on.
        case scanTakenOver
        /// No program scans, and this path cannot start a scan.
        case nobodyScans
        case switchedOff
        case vanished
        case hardwareError(code: UInt8)
        /// An adapter appeared, or was switched on.
        case appeared
        /// Expected packets are not received. `isCertain` when another receiver receives them, or when they come from
        /// one of our own beacons.
        case suspected(isCertain: Bool)
        /// The operator requested that scanning be restarted now.
        case rescan
        /// Time has passed without an event.
        case tick
    }

    package enum Action: Equatable, Sendable {
        /// Open the adapter and scan.
        case open
        /// Close all sockets.
        case close
        /// Ask the controller whether it answers and scans.
        case ask
        /// Switch scanning on, whatever its state; `gently` when another program may be using it too.
        case rearm(gently: Bool)
        /// Switch the adapter off and on. The adapter is closed at this point.
        case powerCycle
    }

    /// Silence after which the controller is asked whether it scans.
    static let askAfter: Duration = .seconds(2)
    /// Interval between further questions during a silence.
    static let askEvery: Duration = .seconds(5)
    /// Every twelfth question during a silence is replaced by a full restart of the scan.
    static let rearmEvery = 12
    /// Delay before a repair. Another program sends its commands in groups, which an early repair would disturb.
    package static let settle: Duration = .milliseconds(150)
    /// Minimum time between two repairs after interference by another program, however often it interferes.
    static let shortestRepair: Duration = .seconds(1)
    /// Delay before a switched-off adapter is switched on. It leaves time for another program that switches the adapter
    /// off and on.
    static let bringUpAfter: Duration = .seconds(2)
    /// Interval between checks for an adapter that is absent or blocked. A check costs almost nothing.
    static let lookEvery: Duration = .seconds(1)
    /// Time allowed for a step to end a silence.
    static let stepTime: Duration = .seconds(3)
    static let firstPause: Duration = .seconds(2)
    package static let longestPause: Duration = .seconds(60)
    /// Longest pause between two rounds of steps against a persistent silence. The steps disturb other users of the
    /// adapter.
    static let longestSilentPause: Duration = .seconds(600)

    package private(set) var state: RadioState
    private let canScan: Bool
    private var isOpen = false
    /// Time of the next scheduled action; `nil` when none is scheduled.
    package private(set) var wakeAt: Duration? = .zero
    private var due: Due? = .open

    private var lastHeard: Duration = .zero
    private var questions = 0
    /// Start of the last repair after interference by another program.
    private var repairedAt: Duration?
    /// Start of the interference that has yet to be repaired.
    private var takenOverAt: Duration = .zero
    /// Number of recovery steps taken in the current round.
    private var rung = 0
    private var pause = firstPause
    private var suspicion: Bool?

    private enum Due {
        case open, ask, repair, climb
    }

    /// - Parameter path: the supervisor never starts a scan on `.monitor`, which only listens.
    package init(adapter: Adapter, path: ScanPathKind) {
        state = RadioState(adapter: adapter, path: path)
        canScan = path != .monitor
    }

    /// Processes an event and returns the actions to take at once, in order.
    package mutating func handle(_ input: Input, at now: Duration) -> [Action] {
        switch input {
        case .opened(let adapter, let mode, let broughtUp):
            isOpen = true
            state.adapter = adapter
            state.mode = mode
            if broughtUp { count(.bringUp) }
            lastHeard = now
            questions = 0
            // An adapter opened because of a suspected silence, or one that only listens, is not assumed to receive.
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
            // An endless sequence of commands does not postpone the repair.
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
            // The kernel resets the controller by itself. A controller that fails repeatedly gets longer pauses.
            let wait = pause == Self.firstPause ? Self.lookEvery : pause
            pause = min(pause * 2, Self.longestPause)
            return closing(openAt: now + wait)
        case .appeared:
            // Gives the driver a moment to settle.
            if !isOpen, due == .open, state.reason != .down {
                schedule(.open, at: min(wakeAt ?? now + Self.settle * 2, now + Self.settle * 2))
            }
            return []
        case .suspected(let isCertain):
            // A suspicion from before the adapter was reopened says nothing about its current state.
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
                // An adapter that waits for its next attempt is opened now.
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

    /// Takes the next step against an unexpected silence.
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
            // The adapter went through all steps and answers: no sender is present.
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
        // An adapter that has scanned before was unplugged.
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
