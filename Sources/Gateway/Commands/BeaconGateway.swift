import ArgumentParser
import CommandSupport
import OperatorText

@main
struct BeaconGateway: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon-gateway",
        abstract: "Configures RS9116 modules as iBeacons, scans, and publishes interactions to MQTT.",
        discussion: """
            A demonstration without hardware:    beacon-gateway demo --help
            Set up a gateway:                    sudo beacon-gateway setup
            Check this machine:                  beacon-gateway doctor
            Show received advertisements:        sudo beacon-gateway scan
            Provision one module:                beacon-gateway provision --help
            Run the daemon:                      beacon-gateway run --config FILE
            Show the state of the daemon:        beacon-gateway status
            Show published records:              beacon-gateway tail --help
            Sign a command:                      beacon-gateway sign-command --help
            Configure many gateways:             beacon-gateway fleet --help

            Exit status: 0 success, 1 a check failed, 64 wrong usage, 65 damaged input, 69 something required is unavailable, \
            74 input or output failed, 77 not permitted, 78 invalid configuration.
            """,
        version: ProductVersion.ofBuild,
        subcommands: [
            SetupCommand.self, RunCommand.self, StatusCommand.self, DoctorCommand.self, ModulesCommand.self,
            ProvisionCommand.self, VerifyCommand.self,
            ScanCommand.self, ReplayCommand.self, RecordCommand.self, CalibrateCommand.self,
            EvaluateCommand.self, EmulateCommand.self,
            FirmwareCommand.self,
            ExportScriptCommand.self, ModuleCommand.self, OutboxCommand.self, SchemaCommand.self, TailCommand.self,
            DemoCommand.self, CommandKeyCommand.self, SignCommandCommand.self, IdentifyCommand.self, ResetCommand.self,
            ReloadCommand.self, LogLevelCommand.self, FleetCommand.self,
        ])
}
