import ArgumentParser
import BeaconModel
import Logging
import ModuleEmulator
import ServiceLifecycle
import UnixSignals

struct EmulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulate",
        abstract: "An emulated module on a pseudo-terminal, for people without the hardware.",
        discussion: """
            Prints a JSON line whenever what the module has on the air changes. Ctrl-C ends it.

            EXAMPLE: beacon-gateway emulate rs9116 --link /tmp/module
                     beacon-gateway provision --port /tmp/module --uuid ...
            """)

    @Argument(help: "The module: rs9116.")
    var module: Kind

    @Option(help: ArgumentHelp("Make a symbolic link to the pseudo-terminal here.", valueName: "path"))
    var link: String?

    @Option(help: ArgumentHelp("What is wrong with the module; may be given several times.", valueName: "fault"))
    var fault: [Fault] = []

    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case rs9116
    }

    enum Fault: String, ExpressibleByArgument, CaseIterable {
        case mute
        case missingFirmware = "missing-firmware"
        case alreadyRunning = "already-running"
        case stuckInBinaryMode = "stuck-in-binary-mode"
        case connectableOnly = "connectable-only"
        case bluetoothUnannounced = "bluetooth-unannounced"
        case oldHandshakeOnly = "old-handshake-only"
    }

    func run() async throws {
        try await Terminal.run {
            let emulated = try EmulatedModule(options: options, link: link)
            Terminal.note(
                "emulated \(module.rawValue) on \(emulated.portPath)" + (link.map { ", linked as \($0)" } ?? ""))
            try await ServiceGroup(
                configuration: .init(
                    services: [
                        .init(
                            service: EmulationService(module: emulated),
                            successTerminationBehavior: .gracefullyShutdownGroup)
                    ],
                    gracefulShutdownSignals: [.sigterm, .sigint], logger: makeLogger(level: .error))
            ).run()
        }
    }

    private var options: RS9116Emulator.Options {
        var options = RS9116Emulator.Options()
        for fault in fault {
            switch fault {
            case .mute: options.isMute = true
            case .missingFirmware: options.imageIsMissing = true
            case .alreadyRunning: options.initialState = .atMode(opermodeDone: true)
            case .stuckInBinaryMode: options.initialState = .binaryMode
            case .connectableOnly: options.nonConnectableRejection = 0x4E11
            case .bluetoothUnannounced: options.bluetoothStart = .unannounced
            case .oldHandshakeOnly: options.acceptedABRD = .fileSeparator
            }
        }
        return options
    }
}

/// Prints what is on the air until the shutdown.
private struct EmulationService: Service {
    var module: EmulatedModule

    func run() async throws {
        try await withGracefulShutdownHandler {
            for await air in module.airChanges { try Terminal.print(air.json) }
        } onGracefulShutdown: {
            module.stop()
        }
    }
}
