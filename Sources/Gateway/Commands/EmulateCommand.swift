import ArgumentParser
import BeaconModel
import CommandSupport
import EmulatedModules
import Glibc
import Logging
import ModuleDialogues
import ModuleEmulator
import ServiceLifecycle
import SystemIO
import UnixSignals

struct EmulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulate",
        abstract: "Emulates modules on pseudo-terminals, for use without the hardware.",
        discussion: """
            Prints a JSON line whenever the transmitted advertisement of a module changes. Several modules receive \
            each other. Ctrl-C ends it.
            Events are typed on standard input: reset, unplug, plug, connect (a central), disconnect. With several \
            modules, append the number of the module, as in "reset 2". "type at+rsibt_..." sends that command as if \
            typed at a terminal ("type 2 at+..." to the second module).

            EXAMPLE: beacon-gateway emulate rs9116 --link /tmp/module
                     beacon-gateway provision --port /tmp/module --uuid ...
            """)

    @Argument(help: "The kind of module: rs9116 or hm10.", transform: OptionValue.kind)
    var module: ModuleKind

    @Option(
        help: ArgumentHelp(
            "Create a symbolic link to the pseudo-terminal at this path; repeat for several modules.",
            valueName: "path"))
    var link: [String] = []

    @Option(
        help: ArgumentHelp(
            "Fault of the modules; may be repeated. For an hm10: mute, connectable-only.",
            valueName: "fault"))
    var fault: [Fault] = []

    @Option(help: ArgumentHelp("Response latency of an rs9116 in milliseconds (0 to 60000).", valueName: "ms"))
    var latency = 0

    @Option(
        help: ArgumentHelp(
            "Percentage of the bytes sent to an rs9116 that are corrupted (0 to 100).", valueName: "percent"))
    var noise = 0.0

    @Option(help: ArgumentHelp("Seed of the random numbers for corrupted bytes.", valueName: "number"))
    var seed: UInt64 = 1

    enum Fault: String, ExpressibleByArgument, CaseIterable {
        case mute
        case missingFirmware = "missing-firmware"
        case alreadyRunning = "already-running"
        case stuckInBinaryMode = "stuck-in-binary-mode"
        case connectableOnly = "connectable-only"
        case bluetoothUnannounced = "bluetooth-unannounced"
        case oldHandshakeOnly = "old-handshake-only"
        case bypassedBootLoader = "bypassed-boot-loader"
    }

    func validate() throws {
        guard link.count <= 64 else { throw ValidationError("There can be at most 64 modules.") }
        guard (0...60_000).contains(latency) else { throw ValidationError("--latency must be from 0 to 60000 ms.") }
        guard (0...100).contains(noise) else { throw ValidationError("--noise must be from 0 to 100 percent.") }
        guard module == .rs9116 || (latency == 0 && noise == 0) else {
            throw ValidationError("--latency and --noise are for an rs9116.")
        }
    }

    func run() async throws {
        try await Terminal.run {
            var modules: [EmulatedModule] = []
            defer { for module in modules { module.stop() } }
            for index in 0..<max(1, link.count) {
                let path = link.indices.contains(index) ? link[index] : nil
                let emulated = try EmulatedModule(firmware(index), link: path)
                modules.append(emulated)
            }
            let air = try EmulatedAir(modules) { _, _ in -50 }
            defer { air.stop() }
            let service = EmulationService(kind: module, modules: modules, links: link)
            try await ServiceGroup(
                configuration: .init(
                    services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
                    gracefulShutdownSignals: EndingSignals.all, logger: makeLogger(level: .error))
            ).run()
        }
    }

    /// Creates the firmware of a module. Modules differ in the last digits of their addresses.
    private func firmware(_ index: Int) -> any EmulatedFirmware {
        switch module {
        case .rs9116:
            var options = options
            options.address = BluetoothAddress(bits: options.address.bits + UInt64(index))
            options.seed &+= UInt64(index)
            return RS9116Emulator(options: options)
        case .hm10:
            var options = HM10Emulator.Options()
            options.address = BluetoothAddress(bits: options.address.bits + UInt64(index))
            options.isMute = fault.contains(.mute)
            options.hasAdvertisingType = !fault.contains(.connectableOnly)
            return HM10Emulator(options: options)
        }
    }

    private var options: RS9116Emulator.Options {
        var options = RS9116Emulator.Options()
        options.responseDelay = .milliseconds(latency)
        options.damagedInput = noise / 100
        options.seed = seed
        for fault in fault {
            switch fault {
            case .mute: options.isMute = true
            case .missingFirmware: options.imageIsMissing = true
            case .alreadyRunning: options.initialState = .atMode(opermodeDone: true)
            case .stuckInBinaryMode: options.initialState = .binaryMode
            case .connectableOnly: options.nonConnectableRejection = 0x4E11
            case .bluetoothUnannounced: options.bluetoothStart = .unannounced
            case .oldHandshakeOnly: options.acceptedABRD = .fileSeparator
            case .bypassedBootLoader: options.bypassesBootloader = true
            }
        }
        return options
    }
}

/// Service that prints transmitted data and executes typed commands until shutdown.
private struct EmulationService: Service {
    var kind: ModuleKind
    var modules: [EmulatedModule]
    var links: [String]

    func run() async throws {
        // From here on, a signal ends the service in an orderly way.
        for (index, module) in modules.enumerated() {
            let link = links.indices.contains(index) ? ", linked as \(links[index])" : ""
            Terminal.note("emulated \(kind.rawValue) on \(module.portPath)" + link)
        }
        let typed = try Self.typedLines()
        try await withGracefulShutdownHandler {
            // The modules keep running when the input ends.
            let typing = Task { for await line in typed { obey(line) } }
            defer { typing.cancel() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, module) in modules.enumerated() {
                    group.addTask { for await air in module.airChanges { try show(air, index) } }
                }
                try await group.waitForAll()
            }
        } onGracefulShutdown: {
            for module in modules { module.stop() }
        }
    }

    /// Prints the transmitted data of a module. With several modules, the line includes the module's number and
    /// address.
    private func show(_ air: OnAir, _ index: Int) throws {
        guard modules.count > 1 else { return try Terminal.print(air.json) }
        try Terminal.print(
            #"{"module":\#(index + 1),"address":"\#(air.address)","# + String(air.json.dropFirst()))
    }

    private func obey(_ line: String) {
        switch TypedOrder(line, modules: modules.count) {
        case nil: break
        case .noModule(let name): Terminal.note("there is no module \(name); there are \(modules.count)")
        case .noCommand:
            Terminal.note("specify one of the \(modules.count) modules and a command, for example: type 1 at+rsi_reset")
        case .command(let command, module: let index): modules[index].type(command + "\r\n")
        case .event(let event, module: let index): happen(event, to: index)
        }
    }

    private func happen(_ event: String, to index: Int) {
        let module = modules[index]
        switch event {
        case "reset": module.pressReset()
        case "unplug": module.unplug()
        case "plug":
            do {
                try module.plug(link: links.indices.contains(index) ? links[index] : nil)
                Terminal.note("plugged in as \(module.portPath)")
            } catch {
                Terminal.note("error: \(error)")
            }
        case "connect": Terminal.note(module.centralConnects() ? "connected" : "it is not connectable")
        case "disconnect": Terminal.note(module.centralDisconnects() ? "disconnected" : "no central was connected")
        default: Terminal.note("unknown event \(event); expected reset, unplug, plug, connect, disconnect or type")
        }
    }

    /// Returns the lines of standard input, until its end.
    private static func typedLines() throws(SystemError) -> AsyncStream<String> {
        let (lines, continuation) = AsyncStream.makeStream(of: String.self)
        try DedicatedThread.start(name: "stdin") {
            // A background process is not allowed to read from the terminal.
            signal(SIGTTIN, SIG_IGN)
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return lines
    }
}
