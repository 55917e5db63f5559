import ArgumentParser
import BeaconModel
import CommandSupport
import Diagnostics
import GatewayCore
import OperatorText
import Setup
import SystemIO

struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Asks for what a gateway needs, tests each answer, and writes the configuration.",
        discussion: """
            Asks in a terminal for the place, the broker, the Bluetooth adapter and the beacons of connected modules. \
            Each answer is tested at once: setup connects to the broker as the gateway will, asks the modules who they \
            are, and looks at the radio, the clock and the disk. After a failed test, answer again, keep the answer \
            anyway, or stop. Nothing is written before the end; until then Ctrl-C leaves everything as it was.

            Then writes the configuration and the file of the password, creates the gateway's user if mosquitto is \
            installed on this machine, starts the service, and ends with `doctor`.

            Run again, it proposes the present values and changes only what is answered differently. Comments and \
            other keys of the file stay. The former file is kept as FILE.bak-TIME.

            --answers takes answers from a TOML file with the same keys as the configuration: [place] site, building, \
            floor, gateway; [mqtt] host, port, tls, ca-file, username, password-file, create-user; [radio] adapter; \
            [modules] ports, provision, uuid, major, first-minor, measured-power; [beacons] uuids. In a terminal, \
            questions that the file does not answer are asked. Without one, proposals count, and a missing answer is \
            an error. keep-anyway = ["radio"] goes on in spite of failed tests: broker, disk, radio, modules.

            Exit status: 0 the gateway works, 1 stopped, 64 an answer is missing, 65 an answer is wrong, 69 a test \
            failed or something is left to do, 77 not permitted, 78 invalid configuration.
            """)

    @Option(help: ArgumentHelp("The configuration to write or to change.", valueName: "file"))
    var config = "/etc/beacon-gateway/gateway.toml"

    @Option(help: ArgumentHelp("A file with answers.", valueName: "file"))
    var answers: String?

    @Flag(help: "Show what would be written and run, and change nothing.")
    var dryRun = false

    @Flag(help: "Do not scan in the examination at the end.")
    var noMeasure = false

    @Option(help: .hidden)
    var mosquitto = "/etc/mosquitto"

    func run() async throws {
        try await Terminal.run {
            let session = SetupSession()
            try await session.untilInterrupted {
                try await GatewaySetupTask(
                    session: session, path: config, answersPath: answers, isDryRun: dryRun,
                    measuring: noMeasure ? nil : .seconds(3), mosquitto: mosquitto
                ).run()
            }
        }
    }
}
