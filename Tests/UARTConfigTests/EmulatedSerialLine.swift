import BeaconModel
import ModuleEmulator

@testable import UARTConfig

/// Driver and emulator on a line without wires: time is a number, so that minutes pass in microseconds.
struct EmulatedSerialLine {
    private var module: RS9116Emulator
    private var dialogue: RS9116Provisioning
    private var now: Duration = .zero
    private var deadline: Duration?
    private var timers: [(at: Duration, timer: RS9116Emulator.Timer)] = []
    /// On their way to the driver.
    private var underway: [[UInt8]] = []

    private(set) var steps: [ProvisioningStep] = []
    private(set) var result: Result<ProvisionedModule, ProvisioningError>?
    var air: OnAir { module.air }
    /// How long it took.
    var elapsed: Duration { now }

    init(_ options: RS9116Emulator.Options, beacon: BeaconConfiguration) {
        module = RS9116Emulator(options: options)
        dialogue = RS9116Provisioning(configuration: beacon)
    }

    /// Runs until the driver has finished; five minutes at most.
    mutating func run() {
        perform(dialogue.handle(.opened))
        while result == nil, now < .seconds(300) {
            if !underway.isEmpty {
                perform(dialogue.handle(.bytes(underway.removeFirst())))
                continue
            }
            let timer = timers.indices.min { timers[$0].at < timers[$1].at }
            if let timer, timers[timer].at <= deadline ?? .seconds(300) {
                let (time, timer) = timers.remove(at: timer)
                now = max(now, time)
                perform(module.fire(timer))
            } else {
                guard let time = deadline else { return }
                now = max(now, time)
                deadline = nil
                perform(dialogue.handle(.deadline))
            }
        }
    }

    private mutating func perform(_ actions: [RS9116Provisioning.Action]) {
        for action in actions {
            switch action {
            case .send(let bytes): perform(module.receive(bytes))
            case .wait(let duration): deadline = now + duration
            case .report(let step): steps.append(step)
            case .finished(let module): result = .success(module)
            case .failed(let error): result = .failure(error)
            }
        }
    }

    private mutating func perform(_ outputs: [RS9116Emulator.Output]) {
        for output in outputs {
            switch output {
            case .schedule(let timer, let delay): timers.append((now + delay, timer))
            // The module's answer reaches the driver after what the driver does now.
            case .send(let bytes): underway.append(bytes)
            }
        }
    }
}
