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
                       --uuid e2c56db5-dffb-48d2-b060-d0f5a71096e0 \\
                       --major 1 --minor 2 --measured-power -59
            """)

    @Option(help: "The module's serial port; see `ls -l /dev/serial/by-id`.")
    var port: String

    @Option(help: "Proximity UUID: whose beacon it is.", transform: OptionValue.uuid)
    var uuid: ProximityUUID

    @Option(help: "0 to 65535, for example the building or floor.", transform: OptionValue.number)
    var major: UInt16

    @Option(help: "0 to 65535, for example the room.", transform: OptionValue.number)
    var minor: UInt16

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "RSSI at 1 m in dBm, -127 to 20, that receivers compute distance from. Sets no transmit power.",
            valueName: "dBm"), transform: OptionValue.measuredPower)
    var measuredPower: Int8

    @Option(help: "Time between advertisements, 20ms to 10.24s (default: 100ms).", transform: OptionValue.interval)
    var interval: AdvertisingInterval = .appleIBeacon

    func run() async throws {
        try await Terminal.run {
            try Terminal.print("port       \(port)")
            let configuration = BeaconConfiguration(
                beacon: BeaconID(uuid: uuid, major: major, minor: minor), measuredPower: measuredPower,
                interval: interval)
            _ = try await ModuleProvisioner(port: port, configuration: configuration).provision { step in
                // Nobody reading is no reason to stop half-way.
                try? Terminal.print(step.line)
            }
        }
    }
}
