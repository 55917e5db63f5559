import ArgumentParser
import BeaconModel
import UARTConfig

struct ProvisionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provision",
        abstract: "Makes one RS9116 module advertise an iBeacon, once.",
        discussion: """
            The module forgets it when it is reset or loses power; `run` provisions its modules at every start.

            EXAMPLE: beacon-gateway provision --port /dev/serial/by-id/usb-FTDI_... \\
                       --uuid e2c56db5-dffb-48d2-b060-d0f5a71096e0 --major 1 --minor 2 --measured-power -59
            """)

    @Option(help: "The module's serial port; see `ls -l /dev/serial/by-id`.")
    var port: String

    @Option(help: "Proximity UUID: whose beacon it is.")
    var uuid: UUIDArgument

    @Option(help: "0 to 65535, for example the building or floor.")
    var major: UInt16

    @Option(help: "0 to 65535, for example the room.")
    var minor: UInt16

    @Option(
        parsing: .unconditional,
        help: "RSSI at 1 m in dBm, -127 to 20, that receivers compute distance from. Sets no transmit power.")
    var measuredPower: MeasuredPower

    @Option(help: "Time between advertisements, 20ms to 10.24s.")
    var interval: IntervalArgument = IntervalArgument(interval: .appleIBeacon)

    func run() async throws {
        try await Terminal.run {
            try Terminal.print("port       \(port)")
            let configuration = BeaconConfiguration(
                beacon: BeaconID(uuid: uuid.uuid, major: major, minor: minor), measuredPower: measuredPower.dBm,
                interval: interval.interval)
            _ = try await ModuleProvisioner(port: port, configuration: configuration).provision { step in
                // Nobody reading is no reason to stop half-way.
                try? Terminal.print(step.line)
            }
        }
    }
}

/// dBm, -127 to 20.
struct MeasuredPower: ExpressibleByArgument {
    var dBm: Int8

    init?(argument: String) {
        guard let value = Int8(argument), (-127...20).contains(value) else { return nil }
        dBm = value
    }
}

struct IntervalArgument: ExpressibleByArgument {
    var interval: AdvertisingInterval

    init(interval: AdvertisingInterval) { self.interval = interval }

    init?(argument: String) {
        guard let interval = DurationText.parse(argument).flatMap({ AdvertisingInterval($0) }) else { return nil }
        self.interval = interval
    }

    var defaultValueDescription: String { "100ms" }
}

/// 8-4-4-4-12 hexadecimal digits.
struct UUIDArgument: ExpressibleByArgument {
    var uuid: ProximityUUID

    init?(argument: String) {
        guard let uuid = ProximityUUID(argument) else { return nil }
        self.uuid = uuid
    }
}
