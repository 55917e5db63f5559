import Glibc

/// Exit statuses of sysexits.h.
enum ExitStatus {
    static let usage: Int32 = 64
    static let badData: Int32 = 65
    static let noInput: Int32 = 66
    static let unavailable: Int32 = 69
    static let inputOutput: Int32 = 74
}

func prepare() -> (Options, Scenario) {
    let options: Options
    do {
        options = try Options(arguments: CommandLine.arguments.dropFirst())
    } catch {
        fail(ExitStatus.usage, "\(error.message)\n\(Options.usage)")
    }
    guard let path = options.scenario else { return (options, Scenario()) }
    guard let text = contents(ofFile: path) else {
        fail(ExitStatus.noInput, "cannot read \(path): \(String(cString: strerror(errno)))")
    }
    do {
        return (options, try Scenario(text: text))
    } catch {
        fail(ExitStatus.badData, "\(path), line \(error.line): \(error.message)")
    }
}

func run() {
    let (options, scenario) = prepare()
    let stop = StopSignal.catchSignals()
    let device: VirtualDevice
    do {
        device = try VirtualDevice()
    } catch {
        fail(ExitStatus.unavailable, error.message)
    }
    do {
        let controller = Controller(
            extended: options.extended, publicAddress: options.publicAddress?.bytes ?? Controller.defaultAddress)
        func open(_ path: String?) throws(VirtualDevice.Failure) -> LineInput? {
            guard let path else { return nil }
            return try LineInput(path: path)
        }
        var radio = Radio(
            device: device, controller: controller, scenario: scenario, air: try open(options.air),
            control: try open(options.control), options: options)
        try radio.run(stop: stop)
    } catch {
        fail(ExitStatus.inputOutput, error.message)
    }
}

run()
