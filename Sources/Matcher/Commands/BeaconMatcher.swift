import ArgumentParser
import CommandSupport
import OperatorText

@main
struct BeaconMatcher: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon-matcher",
        abstract: "Stores the records of beacon-gateway, and reports exposures, attendance and occupancy.",
        discussion: """
            Set up a matcher:                    sudo beacon-matcher setup
            Run the daemon:                      beacon-matcher run --config FILE
            Import records:                      beacon-matcher import FILE --config FILE
            Report a positive subject:           beacon-matcher report KIND:ID --config FILE
            List reports:                        beacon-matcher reports --config FILE
            Withdraw a report:                   beacon-matcher report --withdraw ID --config FILE
            Find exposures:                      beacon-matcher exposures --positive KIND:ID --config FILE
            Show attendance:                     beacon-matcher attendance --config FILE
            Find places with too few receivers:  beacon-matcher coverage --config FILE
            Check floor plans:                   beacon-matcher floors check --config FILE
            Survey a floor:                      beacon-matcher survey take FLOOR --badge BADGE --config FILE
            Show where a subject was:            beacon-matcher stays KIND:ID --config FILE
            Show where beacons are mounted:      beacon-matcher places --config FILE
            Revoke a stolen gateway:             beacon-matcher gateways revoke GATEWAY --config FILE
            Issue enrolment codes:               beacon-matcher enrolment issue --config FILE
            Issue verification codes:            beacon-matcher codes issue --test-date DAY --config FILE
            Import people:                       beacon-matcher people import FILE --config FILE
            Read a picture of a test result:     beacon-matcher read-picture FILE
            Erase a subject:                     beacon-matcher erase KIND:ID --config FILE
            Make a backup of the store:          beacon-matcher backup FILE --config FILE
            Restore the store from a backup:     beacon-matcher restore FILE --config FILE
            Print the key of a gateway:          beacon-matcher gateway-key SITE/BUILDING/FLOOR/GATEWAY --config FILE
            List policies:                       beacon-matcher policy list

            Exit status: 0 success, 64 wrong usage, 65 damaged input, 69 something required is unavailable, \
            74 input or output failed, 77 not permitted, 78 invalid configuration.
            """,
        version: ProductVersion.ofBuild,
        subcommands: [
            SetupCommand.self, RunCommand.self, ImportCommand.self, ReportCommand.self, ReportsCommand.self,
            ExposuresCommand.self,
            AttendanceCommand.self, CoverageCommand.self, PlacesCommand.self, FloorsCommand.self, SurveyCommand.self,
            StaysCommand.self,
            PeopleCommand.self,
            ReadPictureCommand.self, PictureWorkerCommand.self,
            GatewaysCommand.self, EraseCommand.self, SignInCommand.self, SessionsCommand.self, PolicyCommand.self,
            SecretCommand.self,
            ClientIDCommand.self, EnrolmentCommand.self, CodesCommand.self, GatewayKeyCommand.self, BackupCommand.self,
            RestoreCommand.self,
        ])
}
