import ArgumentParser
import OperatorText

@main
struct BeaconMatcher: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon-matcher",
        abstract: "Stores the records of beacon-gateway, and answers who was exposed to whom and who attended.",
        discussion: """
            The daemon:                          beacon-matcher run --config FILE
            Records from a file or a pipe:       beacon-matcher import FILE --config FILE
            Somebody is positive:                beacon-matcher report KIND:ID --config FILE
            Who reported:                        beacon-matcher reports --config FILE
            That was a mistake:                  beacon-matcher report --withdraw ID --config FILE
            Who was near a positive person:      beacon-matcher exposures --positive KIND:ID --config FILE
            Who attended which lecture:          beacon-matcher attendance --config FILE
            Where a gateway more would pay:      beacon-matcher coverage --config FILE
            Which beacons hang where:            beacon-matcher places --config FILE
            A gateway was stolen:                beacon-matcher gateways revoke GATEWAY --config FILE
            Phones enrol by codes:               beacon-matcher enrolment issue --config FILE
            Everything of a person, away:        beacon-matcher erase KIND:ID --config FILE
            The key of a gateway:                beacon-matcher gateway-key SITE/BUILDING/FLOOR/GATEWAY --config FILE
            What counts as a contact:            beacon-matcher policy list

            Exit status: 0 success, 64 wrong usage, 65 damaged input, 69 something needed isn't there, \
            74 input or output failed, 77 not permitted, 78 wrong configuration.
            """,
        version: ProductVersion.number,
        subcommands: [
            RunCommand.self, ImportCommand.self, ReportCommand.self, ReportsCommand.self, ExposuresCommand.self,
            AttendanceCommand.self, CoverageCommand.self, PlacesCommand.self, GatewaysCommand.self, EraseCommand.self,
            PolicyCommand.self, SecretCommand.self,
            ClientIDCommand.self, EnrolmentCommand.self, GatewayKeyCommand.self,
        ])
}
