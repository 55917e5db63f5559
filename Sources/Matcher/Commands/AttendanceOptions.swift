import ArgumentParser
import Attendance
import BeaconModel
import CommandSupport
import InteractionStore
import OperatorText
import SystemIO

/// What every command of attendance needs: a configuration with timetable, roster and rooms.
struct AttendanceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The matcher's configuration, with the table attendance.", valueName: "file"))
    var config: String

    @Option(
        help: ArgumentHelp(
            "Take this for the present time; a past day stands for its first second (default: now).", valueName: "time"),
        transform: MatcherOption.time)
    var asOf: DayOrTime?

    /// What it says, read.
    struct Opened {
        var configuration: MatcherConfiguration
        var settings: AttendanceSettings
        var files: AttendanceFiles
        /// Seconds since 1970.
        var now: Int64
        fileprivate var opened: InteractionStore?
        /// Why the store couldn't be opened: what is wrong besides is said before that.
        var withoutStore: (any Error)?

        var rooms: RoomDirectory { RoomDirectory(configuration.rooms) }
        var search: AttendanceSearch { AttendanceSearch(configuration, settings, files, now: now) }

        /// A roster without students answers every question with nobody.
        ///
        /// - Throws: `AttendanceFileError`.
        func requireStudents() throws(AttendanceFileError) {
            guard files.roster.studentCount == 0 else { return }
            let path = settings.rosterFile
            throw AttendanceFileError(
                path: path,
                problems: [
                    ConfigurationProblem(
                        location: "file", found: "there are no students",
                        allowed: "must have a row for each course and thing that a student carries", file: path)
                ])
        }

        /// - Throws: `StoreError`.
        func store() throws -> InteractionStore {
            if let withoutStore { throw withoutStore }
            return try opened ?? configuration.openStore(creating: false)
        }
    }

    /// The configuration alone, for what needs neither timetable nor roster.
    ///
    /// - Parameter needsStore: without, the secret that may be needed to open the store isn't read.
    func read(
        needsStore: Bool = true
    ) throws -> (configuration: MatcherConfiguration, settings: AttendanceSettings) {
        let secrets = ConfigurationFile.secrets(for: needsStore ? [.store] : [])
        let configuration = try MatcherConfiguration.load(config, secrets: secrets)
        guard let settings = configuration.attendance else { throw NoAttendance(path: config) }
        return (configuration, settings)
    }

    /// Badges of the roster that gateways call their places' beacons are noted, if the store can be opened.
    ///
    /// - Parameter needsStore: as in `read(needsStore:)`.
    func open(needsStore: Bool = true) throws -> Opened {
        let (configuration, settings) = try read(needsStore: needsStore)
        let clock = WallClock.now().microseconds / 1_000_000
        let now = asOf?.present(clock: clock, in: configuration.days) ?? clock
        var store: InteractionStore?
        var failure: (any Error)?
        do {
            store = try configuration.openStore(creating: false)
        } catch {
            failure = error
        }
        let files = try AttendanceFiles.load(settings, fixedBeacons: configuration.fixedSubjects, now: now)
        // A gateway's word keeps nobody's roster from being read: else one that was stolen ends all attendance.
        let claimed = try store.map { try $0.fixedBeacons(since: now - 86_400) } ?? []
        for note in files.notes(claimed: claimed) { Terminal.note("note: \(note)") }
        return Opened(
            configuration: configuration, settings: settings, files: files, now: now, opened: store,
            withoutStore: failure)
    }
}

private struct NoAttendance: OperatorError {
    var path: String

    var what: String { "\(path) has no table attendance" }
    var meaning: String? { "there is no timetable and no roster" }
    var remedy: String? {
        "add [attendance] with timetable-files and roster-file; docs/guide/matcher/attendance.md shows one"
    }
    var exitStatus: ExitStatus { .configuration }
}

/// A name on the command line that is nobody's.
struct UnknownName: OperatorError {
    var what: String
    var remedy: String?
    var exitStatus: ExitStatus { .usage }
}
