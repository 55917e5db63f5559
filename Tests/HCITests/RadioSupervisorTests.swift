import BeaconModel
import Testing

@testable import HCI

@Suite("RadioSupervisor")
struct RadioSupervisorTests {
    /// An adapter in simulated time, that does what it is told and what the test says.
    private struct Bench {
        var supervisor: RadioSupervisor
        var now: Duration = .zero
        var actions: [RadioSupervisor.Action] = []
        /// What the adapter does when it is opened, asked or cycled; `nil`: it works.
        var failure: ScannerError?
        /// Packets come all the time while it is open.
        var isLoud = false
        private var isOpen = false

        init(path: ScanPathKind = .raw) {
            supervisor = RadioSupervisor(adapter: Adapter(index: 0), path: path)
        }

        var state: RadioState { supervisor.state }

        mutating func handle(_ input: RadioSupervisor.Input) {
            var inputs = [input]
            while !inputs.isEmpty {
                for action in supervisor.handle(inputs.removeFirst(), at: now) {
                    actions.append(action)
                    if case .close = action {
                        isOpen = false
                        continue
                    }
                    if let failure {
                        inputs.append(.failed(failure))
                        break
                    }
                    switch action {
                    case .open:
                        isOpen = true
                        inputs.append(.opened(Adapter(index: 0), .extended, broughtUp: false))
                    case .ask, .rearm: inputs.append(.answered)
                    case .close, .powerCycle: break
                    }
                }
            }
        }

        /// Lets time pass, a tenth of a second at a time.
        mutating func run(_ duration: Duration) {
            let end = now + duration
            while now < end {
                now += .milliseconds(100)
                if isLoud, isOpen, failure == nil { handle(.heard) }
                handle(.tick)
            }
        }
    }

    private let adapter = Adapter(index: 0)

    private func hearing() -> Bench {
        var bench = Bench()
        bench.isLoud = true
        bench.run(.seconds(10))
        bench.actions = []
        return bench
    }

    @Test("It opens at once, is quiet until something is heard, and then hears")
    func opens() {
        var bench = Bench()
        bench.handle(.tick)
        #expect(bench.actions == [.open])
        #expect(bench.state.condition == .quiet)
        bench.handle(.heard)
        #expect(bench.state.condition == .hearing)
    }

    @Test("In an empty building the controller is asked every five seconds, and nothing is called a fault")
    func emptyBuilding() {
        var bench = hearing()
        bench.isLoud = false
        bench.run(.seconds(600))
        #expect(bench.state.condition == .quiet)
        #expect(bench.state.faults.isEmpty)
        #expect(bench.state.steps.isEmpty)
        #expect((115...125).contains(bench.actions.count), "\(bench.actions.count)")
        #expect(bench.actions.count { $0 == .rearm(gently: false) } == 10)
    }

    @Test("A controller that stops answering is called deaf within five seconds, cycled, and tried ever more rarely")
    func deadFirmware() {
        var bench = hearing()
        bench.failure = .notAnswering(adapter, command: "LE Set Scan Enable")
        bench.run(.seconds(3))
        #expect(bench.state.condition == .deaf)
        #expect(bench.state.reason == .notAnswering)
        #expect(bench.state.steps[.powerCycle] == 1)
        bench.run(.seconds(600))
        let early = bench.state.steps[.powerCycle] ?? 0
        bench.run(.seconds(600))
        #expect((bench.state.steps[.powerCycle] ?? 0) - early <= 11, "once a minute")
        bench.failure = nil
        bench.run(.seconds(61))
        #expect(bench.state.condition == .hearing)
        #expect(bench.state.reason == nil)
        #expect(bench.state.error == nil)
    }

    @Test("An adapter that was unplugged is looked for every second, and stays called removed until it is back")
    func removed() {
        var bench = hearing()
        bench.handle(.failed(.removed(adapter)))
        #expect(bench.state.reason == .removed)
        #expect(bench.actions == [.close])
        bench.failure = .noSuchAdapter(adapter)
        bench.run(.seconds(10))
        #expect(bench.state.reason == .removed)
        #expect(bench.state.faults == [.removed: 1])
        #expect(bench.actions.count { $0 == .open } == 10)
        bench.failure = nil
        bench.run(.seconds(2))
        #expect(bench.state.condition == .hearing)
        #expect(bench.state.steps[.reopen] == 1)
    }

    @Test("When a person asks for it, scanning is switched on anew, and it goes on hearing")
    func rescan() {
        var bench = hearing()
        bench.handle(.rescan)
        #expect(bench.actions == [.rearm(gently: false)])
        #expect(bench.state.steps == [.rearm: 1])
        bench.run(.seconds(5))
        #expect(bench.state.condition == .hearing)
    }

    @Test("An adapter that is given time is tried at once when a person asks for it")
    func rescanClosed() {
        var bench = hearing()
        bench.failure = .notAnswering(adapter, command: "LE Set Scan Enable")
        bench.run(.seconds(300))
        bench.failure = nil
        bench.actions = []
        bench.handle(.rescan)
        bench.handle(.tick)
        #expect(bench.actions.contains(.open))
        #expect(bench.state.condition != .deaf)
    }

    @Test("Where this process only listens, nothing is switched on for a person either")
    func rescanMonitor() {
        var bench = Bench(path: .monitor)
        bench.handle(.tick)
        bench.actions = []
        bench.handle(.rescan)
        #expect(bench.actions.isEmpty)
    }

    @Test("An adapter that isn't there at the start is waited for")
    func late() {
        var bench = Bench()
        bench.failure = .noSuchAdapter(adapter)
        bench.run(.seconds(30))
        #expect(bench.state.reason == .noSuchAdapter)
        bench.failure = nil
        bench.run(.seconds(2))
        #expect(bench.state.condition == .quiet)
    }

    @Test("One that was switched off is called deaf at once, and switched on after two seconds")
    func down() {
        var bench = hearing()
        bench.handle(.switchedOff)
        #expect(bench.state.reason == .down)
        bench.run(.milliseconds(1900))
        #expect(bench.actions == [.close])
        bench.run(.seconds(1))
        #expect(bench.state.condition == .hearing)
    }

    @Test("One that rfkill blocks is tried every second, without any other step")
    func blocked() {
        var bench = hearing()
        bench.handle(.switchedOff)
        bench.failure = .blocked(adapter)
        bench.run(.seconds(10))
        #expect(bench.state.reason == .blocked)
        #expect(bench.state.steps[.powerCycle] == nil)
        bench.failure = nil
        bench.run(.seconds(2))
        #expect(bench.state.condition == .hearing)
    }

    @Test("A hardware error is called by its name, and the adapter opened again once the kernel has reset it")
    func hardwareError() {
        var bench = hearing()
        bench.handle(.hardwareError(code: 0x42))
        #expect(bench.state.error == .hardwareError(adapter, code: 0x42))
        bench.run(.seconds(3))
        #expect(bench.state.condition == .hearing)
        #expect(bench.state.faults == [.hardwareError: 1])
    }

    @Test("A scan that another program took over is taken back when its commands have come to an end")
    func takenOver() {
        var bench = hearing()
        bench.isLoud = false
        bench.handle(.scanTakenOver)
        bench.run(.milliseconds(100))
        bench.handle(.scanTakenOver)
        bench.run(.milliseconds(100))
        #expect(bench.actions.isEmpty)
        bench.run(.milliseconds(100))
        #expect(bench.actions == [.rearm(gently: true)])
        #expect(bench.state.steps == [.rearm: 1])
        #expect(bench.state.faults == [.scanStopped: 1])
        #expect(bench.state.condition == .hearing)
    }

    @Test("A program that takes the scan over again and again makes no more than one repair a second")
    func contention() {
        var bench = hearing()
        for _ in 0..<100 {
            bench.handle(.scanTakenOver)
            bench.run(.milliseconds(200))
        }
        let repairs = bench.actions.count { $0 == .rearm(gently: true) }
        #expect((1...21).contains(repairs), "\(repairs)")
    }

    @Test("A silence that shouldn't be is called deafness; scanning is begun anew, then the adapter cycled")
    func wedged() {
        var bench = hearing()
        bench.isLoud = false
        bench.run(.seconds(6))
        bench.actions = []
        bench.handle(.suspected(isCertain: true))
        #expect(bench.state.reason == .silent)
        #expect(bench.actions == [.rearm(gently: false)])
        bench.run(.seconds(3))
        #expect(bench.actions == [.rearm(gently: false), .close, .powerCycle, .open])
        #expect(bench.state.condition == .deaf, "opened, and still nothing is heard")
        bench.run(.seconds(120))
        #expect(bench.state.condition == .deaf)
        #expect((bench.state.steps[.giveUp] ?? 0) >= 2)
        bench.handle(.heard)
        #expect(bench.state.condition == .hearing)
    }

    @Test("When only strangers are missed and no step brings them back, the building is empty")
    func strangersLeft() {
        var bench = hearing()
        bench.isLoud = false
        bench.run(.seconds(6))
        bench.handle(.suspected(isCertain: false))
        #expect(bench.state.condition == .deaf)
        bench.run(.seconds(10))
        #expect(bench.state.condition == .quiet)
        #expect(bench.state.steps == [.rearm: 1, .powerCycle: 1, .giveUp: 1])
    }

    @Test("A path that only listens never does anything to the adapter")
    func listening() {
        var bench = Bench(path: .monitor)
        bench.isLoud = true
        bench.run(.seconds(5))
        bench.isLoud = false
        bench.run(.seconds(60))
        bench.handle(.suspected(isCertain: true))
        bench.run(.seconds(60))
        #expect(bench.actions.allSatisfy { $0 == .open || $0 == .ask })
        bench.handle(.nobodyScans)
        #expect(bench.state.reason == .scanStopped)
        bench.handle(.heard)
        #expect(bench.state.condition == .hearing)
    }

    @Test("An error that nothing is known of is tried again after pauses that double up to a minute")
    func backoff() {
        var bench = Bench()
        bench.failure = .notPermitted(adapter)
        let pauses = [2, 4, 8, 16, 32, 60, 60]
        bench.run(.seconds(pauses.reduce(1, +)))
        #expect(bench.actions.count { $0 == .open } == 8)
        #expect(bench.state.steps == [.giveUp: 8])
    }

    @Test("When an adapter appears, it is opened without waiting for the next look")
    func appears() {
        var bench = Bench()
        bench.failure = .notPermitted(adapter)
        bench.run(.seconds(120))
        bench.failure = nil
        bench.handle(.appeared)
        bench.run(.milliseconds(400))
        #expect(bench.state.condition == .quiet)
    }

    @Test("A takeover in the middle of the ladder is repaired, and the ladder goes on")
    func takenOverWhileClimbing() {
        for isCertain in [true, false] {
            var bench = hearing()
            bench.isLoud = false
            bench.run(.seconds(6))
            bench.handle(.suspected(isCertain: isCertain))
            bench.handle(.scanTakenOver)
            bench.run(.seconds(60))
            #expect((bench.state.steps[.powerCycle] ?? 0) >= 1)
            #expect(bench.state.condition == (isCertain ? .deaf : .quiet))
        }
    }

    @Test("Takeovers without a pause are repaired once a second")
    func takenOverWithoutPause() {
        var bench = hearing()
        for _ in 0..<100 {
            bench.handle(.scanTakenOver)
            bench.run(.milliseconds(100))
        }
        let repairs = bench.actions.count { $0 == .rearm(gently: true) }
        #expect((9...11).contains(repairs), "\(repairs)")
    }

    @Test("A suspicion from before the adapter was opened again is none")
    func staleSuspicion() {
        var bench = hearing()
        bench.handle(.failed(.removed(adapter)))
        bench.isLoud = false
        bench.run(.seconds(2))
        bench.handle(.suspected(isCertain: true))
        #expect(bench.state.condition == .quiet)
    }

    @Test("Against a silence that nothing ends the adapter is switched off and on ever more rarely")
    func silentForLong() {
        var bench = hearing()
        bench.isLoud = false
        bench.run(.seconds(6))
        bench.handle(.suspected(isCertain: true))
        bench.run(.seconds(3600))
        #expect((bench.state.steps[.powerCycle] ?? 0) < 16, "\(bench.state.steps)")
    }

    @Test("A controller that reports hardware errors again and again is opened ever more rarely")
    func hardwareErrors() {
        var bench = Bench()
        bench.handle(.tick)
        bench.actions = []
        for _ in 0..<600 {
            bench.run(.seconds(1))
            bench.handle(.hardwareError(code: 1))
        }
        let openings = bench.actions.count { $0 == .open }
        #expect(openings < 20, "\(openings)")
    }
}
