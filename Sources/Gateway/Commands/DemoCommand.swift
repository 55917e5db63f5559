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
            retained messages below demo-..., so use a dedicated broker. With --building, six gateways with \
            simulated radios publish what they receive of eight people who walk about on a floor.
            """)

    @Option(
        help: "The port of a broker on this machine, for example of `mosquitto -p 18830` (default: 1883).",
        transform: OptionValue.port)
    var brokerPort: UInt16 = 1883

    @Option(
        help: "Stop after this time; without --building, the exit status is 69 if no record arrived.",
        transform: OptionValue.duration)
    var duration: Duration?

    @Flag(help: "Demonstrate a floor with six gateways and eight people instead; it is for the page of beacon-matcher.")
    var building = false

    @Option(
        help: ArgumentHelp(
            "With --building: seconds that pass for the people in each second, 0.1 to 100 (default: 1).",
            valueName: "factor"),
        transform: OptionValue.demoSpeed)
    var speed = 1.0

    @Flag(help: "Print the plan of that floor, as a file for beacon-matcher, and exit.")
    var plan = false

    @Flag(
        help: ArgumentHelp(
            "Print what the gateways of that floor publish in the hour before, as JSON lines, and exit. The badges 1, 3 "
                + "and 4 meet in it, and badge 7 is elsewhere."))
    var hour = false

    func validate() throws {
        if [building, plan, hour].count(where: { $0 }) > 1 {
            throw ValidationError("--building, --plan and --hour exclude each other.")
        }
    }

    func run() async throws {
        try await Terminal.run {
            if plan { return try Terminal.write(DemoFloor.plan) }
            if hour {
                for record in try DemoHour(before: WallClock.now()).records() {
                    try Terminal.print(record.encoded(historical: false))
                }
                return
            }
            let directory = try DemoDirectory()
            defer { directory.remove() }
            if building { return try await runFloor(directory: directory.path) }
            let hall = DemoBuilding(
                topicPrefix: "demo-\(getpid())", brokerPort: brokerPort, stateDirectory: directory.path)
            let configurationPath = directory.path + "/gateway.toml"
            try FileContents.replace(configurationPath, with: Array(hall.configuration.utf8))
            let configuration = try Configuration.load(configurationPath, secrets: ConfigurationFile.secrets())
            var modules: [(module: EmulatedModule, distance: Double)] = []
            defer { for (module, _) in modules { module.stop() } }
            for (index, distance) in DemoBuilding.moduleDistances.enumerated() {
                var options = RS9116Emulator.Options()
                options.address = BluetoothAddress(bits: 0x88DA_1AE8_0661 + UInt64(index))
                modules.append((try EmulatedModule(options: options, link: hall.modulePort(index + 1)), distance))
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

    /// Runs the gateways of the floor until a signal, or for the given time.
    private func runFloor(directory: String) async throws {
        let prefix = "demo-\(getpid())"
        let logger = makeLogger(level: .warning)
        let gateways = try DemoGateways(
            prefix: prefix, brokerPort: brokerPort, directory: directory, speed: speed, logger: logger)
        try Terminal.print(
            """
            \(DemoFloor.rooms.count) gateways publish below \(prefix)/ at the broker on port \(brokerPort). \
            \(DemoPerson.all().count) people with badges walk about. Ctrl-C ends it.
            """)
        var services: [any Service] = [gateways]
        if let duration { services.append(DemoAlarm(after: duration)) }
        try await ServiceGroup(
            configuration: .init(
                services: services.map {
                    .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup)
                },
                gracefulShutdownSignals: EndingSignals.all, logger: logger)
        ).run()
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
                try await daemon.run(companions: duration.map { [DemoAlarm(after: $0)] } ?? [])
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

private struct NothingArrived: OperatorError {
    var what: String { "no record arrived at the subscriber" }
    var remedy: String? { "repeat with a running broker: mosquitto -p 18830" }
    var exitStatus: ExitStatus { .unavailable }
}
