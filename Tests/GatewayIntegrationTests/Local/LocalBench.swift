import BeaconModel
import EmulatedModules
import Glibc
import ModuleEmulator
import RecordContract
import SystemIO
import TestSupport
import Testing

/// A running gateway with emulated modules and a simulated radio, and the commands that ask it.
final class LocalBench: Sendable {
    let directory: TemporaryDirectory
    let modules: [EmulatedModule]
    let configuration: String
    let daemon: ChildProcess

    var socket: String { directory.path + "/control.sock" }

    /// - Parameters:
    ///   - names: names of the modules. There is a row for each.
    ///   - further: further tables of the configuration.
    init(
        modules names: [String] = ["door"], brokerPort: UInt16 = 1, in directory: TemporaryDirectory? = nil,
        further: String = ""
    ) throws {
        let directory = try directory ?? TemporaryDirectory()
        self.directory = directory
        var modules: [EmulatedModule] = []
        for index in names.indices {
            var options = RS9116Emulator.Options()
            options.loadingDelay = .milliseconds(1)
            options.bluetoothLoadingDelay = .milliseconds(1)
            options.address = BluetoothAddress(bits: 0x88DA_1A00_0000 + UInt64(index))
            modules.append(try EmulatedModule(options: options, link: "\(directory.path)/port\(index)"))
        }
        self.modules = modules
        _ = try directory.write("floor.csv", Self.inventory(names, directory))
        configuration = try directory.write(
            "gateway.toml", Self.configuration(directory, brokerPort: brokerPort, further: further))
        daemon = try ChildProcess(
            BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration, "--simulated-reports", "50"])
    }

    static func inventory(_ names: [String], _ directory: TemporaryDirectory) -> String {
        "name,module,uuid,major,minor\n"
            + names.enumerated().map {
                "\($1),\(directory.path)/port\($0),e2c56db5-dffb-48d2-b060-d0f5a71096e0,3,\($0 + 1)\n"
            }.joined()
    }

    static func configuration(_ directory: TemporaryDirectory, brokerPort: UInt16, further: String = "") -> String {
        """
        inventory = "floor.csv"
        local-socket = "control.sock"
        [place]
        site = "s"
        building = "b"
        floor = "1"
        gateway = "g"
        [mqtt]
        host = "127.0.0.1"
        port = \(brokerPort)
        [beacons]
        uuids = ["e2c56db5-dffb-48d2-b060-d0f5a71096e0"]
        [state]
        directory = "\(directory.path)"
        \(further)
        """
    }

    /// Waits until the gateway listens.
    func isListening() async -> Bool {
        await daemon.errorOutput.first { $0.contains("local socket listening") } != nil
    }

    func run(_ arguments: String...) async throws -> (status: Int32, output: String, errors: String) {
        let result = try await GatewayProgram.run(arguments + ["--config", configuration])
        return (result.status, result.output.joined(separator: "\n"), result.errorOutput.joined(separator: "\n"))
    }

    /// The gateway's status; `nil` if it does not answer.
    func status(bySocket: Bool = false) async throws -> Status? {
        let options = bySocket ? ["--socket", socket] : ["--config", configuration]
        let output = try await GatewayProgram.run(["status", "--json"] + options).output.joined()
        return try? JSON.decode(Status.self, from: Array(output.utf8))
    }

    /// Ends the gateway; gives its exit status.
    func stop() async -> Int32 {
        daemon.send(signal: SIGTERM)
        let status = await daemon.exitStatus()
        for module in modules { module.stop() }
        return status
    }

    /// What tests look at, as another program reads it.
    struct Status: Decodable {
        struct Module: Decodable {
            var name, state, port: String
        }
        struct Broker: Decodable {
            var connected: Bool
            var lastError: String?
        }
        struct Adapter: Decodable {
            var reportsPerSecond: Double?
        }
        struct Log: Decodable {
            struct Entry: Decodable {
                var message: String
            }
            var level: String
            var problems: [Entry]
        }
        var works: Bool
        var process: Int32
        var modules: [Module]
        var openPorts: [String]
        var adapters: [Adapter]
        var broker: Broker
        var log: Log
    }
}
