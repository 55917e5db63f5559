import ArgumentParser
import OperatorText

@main
struct BeaconGateway: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon-gateway",
        abstract: "Makes RS9116 modules advertise iBeacons, hears everything around, and tells MQTT who is near.",
        discussion: """
            A first look without any hardware:   beacon-gateway demo --help
            Would it work on this machine:       beacon-gateway doctor
            What is on the air here:             sudo beacon-gateway scan
            One module, once:                    beacon-gateway provision --help
            The daemon:                          beacon-gateway run --config FILE
            What it tells the broker:            beacon-gateway tail --help
            A command that only it obeys:        beacon-gateway sign-command --help

            Exit status: 0 success, 1 the answer to a question was no, 64 wrong usage, 65 damaged input, 69 something needed isn't there, \
            74 input or output failed, 77 not permitted, 78 wrong configuration.
            """,
        version: ProductVersion.number,
        subcommands: [
            RunCommand.self, DoctorCommand.self, ModulesCommand.self, ProvisionCommand.self, VerifyCommand.self,
            ScanCommand.self, ReplayCommand.self, RecordCommand.self, CalibrateCommand.self,
            EvaluateCommand.self, EmulateCommand.self,
            FirmwareCommand.self,
            ExportScriptCommand.self, ModuleCommand.self, OutboxCommand.self, SchemaCommand.self, TailCommand.self,
            DemoCommand.self, CommandKeyCommand.self, SignCommandCommand.self,
        ])
}
