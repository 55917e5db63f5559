import ArgumentParser
import BeaconModel
import CommandSupport
import EmulatedModules
import GatewayCore
import GatewayDaemon
import Glibc
import Logging
import MQTTBridge
import ModuleEmulator
import Publishing
import RecordContract
import ServiceLifecycle
import SystemIO

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Demonstrates the gateway without hardware; `make demo` starts it with a broker of its own.",
        discussion: """
            Provisions two emulated modules on pseudo-terminals over their serial lines. A simulated radio carries \
            what they and three walking badges advertise, and the records come back from a real MQTT broker. Leaves \
            retained messages below demo-..., so use a dedicated broker.
            """)

    @Option(
        help: "The port of a broker on this machine, for example of `mosquitto -p 18830` (default: 1883).",
        transform: OptionValue.port)
    var brokerPort: UInt16 = 1883

    @Option(help: "Stop after this time; the exit status is 69 if no record arrived.", transform: OptionValue.duration)
    var duration: Duration?

    @Flag(
        help: ArgumentHelp(
            "Do not start the demonstration. Print, as JSON lines, what three gateways of a floor publish in an hour "
                + "during which badges 1 and 3 sit together, and badge 2 next door."))
    var hour = false

    func run() async throws {
        try await Terminal.run {
            if hour {
                let building = DemoBuilding(topicPrefix: "demo", brokerPort: brokerPort, stateDirectory: "/var/empty")
                for record in try DemoHour(building, before: WallClock.now()).records() {
                    try Terminal.print(record.encoded(historical: false))
                }
                return
            }
            let directory = try TemporaryDirectory()
            defer { directory.remove() }
            let building = DemoBuilding(
                topicPrefix: "demo-\(getpid())", brokerPort: brokerPort, stateDirectory: directory.path)
            let configurationPath = directory.path + "/gateway.toml"
            try FileContents.replace(configurationPath, with: Array(building.configuration.utf8))
            let configuration = try Configuration.load(configurationPath, secrets: ConfigurationFile.secrets())
            var modules: [(module: EmulatedModule, distance: Double)] = []
            defer { for (module, _) in modules { module.stop() } }
            for (index, distance) in DemoBuilding.moduleDistances.enumerated() {
                var options = RS9116Emulator.Options()
                options.address = BluetoothAddress(bits: 0x88DA_1AE8_0661 + UInt64(index))
                modules.append((try EmulatedModule(options: options, link: building.modulePort(index + 1)), distance))
            }
            try introduce(configuration, configurationPath, modules.map(\.module.portPath))
            let radio = SimulatedRadio(modules: modules, walkers: DemoBuilding.walkers)
            let daemon = Daemon(
                configuration: configuration, makeSources: { [radio] }, load: { configuration },
                logger: makeLogger(level: .warning))
            let records = try await show(daemon)
            Terminal.note("\n\(records) records arrived at the subscriber")
            if records == 0 { throw NothingArrived() }
        }
    }

    private func introduce(_ configuration: Configuration, _ path: String, _ ports: [String]) throws {
        try Terminal.print(
            """
            Beacon Gateway, demonstration. Modules, badges and radio are simulated; everything else is real.
              two emulated RS9116 modules on \(ports.joined(separator: " and ")), 2 m and 5 m from the gateway
              three people with badges, walking around
              the gateway, with \(path)
              a subscriber at the broker on port \(brokerPort), on \(configuration.topics.root)/#
            The modules are being provisioned over their serial lines; they are received after about 2 s.
            Each line below is a record as the subscriber receives it: a subject came near (started), is still near
            (updated), or has left (ended), with its distance from the gateway. Ctrl-C ends the demonstration.

            """)
    }

    /// Runs the gateway with a subscriber beside it. Returns the number of records that arrived.
    private func show(_ daemon: Daemon) async throws -> Int {
        let table = DemoTable(statusTopic: daemon.configuration.topics.status)
        var broker = daemon.configuration.broker
        broker.clientID += "-subscriber"
        let subscriber = try MQTTSubscriber(
            configuration: broker, filter: daemon.configuration.topics.root + "/#")
        let (subscribed, subscription) = AsyncStream<Void>.makeStream()
        return try await withThrowingTaskGroup(of: Part.self) { group in
            group.addTask {
                try await subscriber.run {
                    subscription.yield()
                    subscription.finish()
                } _: { message in
                    (try? await table.show(message)) ?? false
                }
                return .subscriber
            }
            group.addTask {
                try await Task.sleep(for: .seconds(5))
                subscription.finish()
                return .patience
            }
            group.addTask { [duration] in
                guard await subscribed.first(where: { true }) != nil else { throw MuteBroker(port: brokerPort) }
                try await table.showTitles()
                try await daemon.run(companions: duration.map { [Alarm(after: $0)] } ?? [])
                // Allow time for the last records to arrive.
                try? await Task.sleep(for: .seconds(1))
                return .gateway
            }
            // The first error ends the other tasks too.
            while let part = try await group.next() {
                if part == .gateway { group.cancelAll() }
            }
            return await table.records
        }
    }
}

/// Concurrent tasks of the demonstration.
private enum Part {
    case subscriber, patience, gateway
}

private struct MuteBroker: OperatorError {
    var port: UInt16

    var what: String { "the program listening on port \(port) does not answer like an MQTT broker" }
    var remedy: String? { "start a broker, mosquitto -p 18830, and specify its port with --broker-port" }
    var exitStatus: ExitStatus { .unavailable }
}

/// Service that ends its group after a time.
private struct Alarm: Service {
    var after: Duration

    func run() async throws { try? await cancelWhenGracefulShutdown { try await Task.sleep(for: after) } }
}

private struct NothingArrived: OperatorError {
    var what: String { "no record arrived at the subscriber" }
    var remedy: String? { "repeat with a running broker: mosquitto -p 18830" }
    var exitStatus: ExitStatus { .unavailable }
}

/// Temporary directory that is removed at the end.
private struct TemporaryDirectory {
    let path: String

    init() throws(SystemError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(parent)/beacon-gateway-demo-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SystemError("create a directory in \(parent)", errorNumber: errno)
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    func remove() {
        for name in SystemFiles.names(path) { unlink(path + "/" + name) }
        rmdir(path)
    }
}
