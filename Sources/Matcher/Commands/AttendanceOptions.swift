import ArgumentParser
import Attendance
import BeaconModel
import CommandSupport
import InteractionStore
import MatcherCore
import MatcherDaemon
import OperatorText
import SystemIO

/// Options of all attendance commands: a configuration with timetable, roster and rooms.
struct AttendanceOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The matcher's configuration, with an [attendance] table.", valueName: "file"))
    var config: String

    @Option(
        help: ArgumentHelp(
            "Evaluate as of this time; a day stands for its first second (default: now).", valueName: "time"),
        transform: MatcherOption.time)
    var asOf: DayOrTime?

    /// The configuration with its attendance files and its store.
    struct Opened {
        var configuration: MatcherConfiguration
        var settings: AttendanceSettings
        var files: AttendanceFiles
        /// The present time, in seconds since 1970.
        var now: Int64
        fileprivate var opened: InteractionStore?
        /// Reason why the store could not be opened. Other problems are reported first.
        var withoutStore: (any Error)?

        var rooms: RoomDirectory { RoomDirectory(configuration.rooms) }
        var search: AttendanceSearch { AttendanceSearch(configuration, settings, files, now: now) }

        /// Checks that the roster has students: without any, every query would find nobody.
        ///
        /// - Throws: `AttendanceFileError`.
        func requireStudents() throws(AttendanceFileError) {
            guard files.roster.studentCount == 0 else { return }
            let path = settings.rosterFile ?? "the roster"
            throw AttendanceFileError(
                path: path,
                problems: [
                    ConfigurationProblem(
                        location: "file", found: "has no students",
                        allowed: "must have a row for each course and each badge or phone of a student", file: path)
                ])
        }

        /// Returns the open store.
        ///
        /// - Throws: `StoreError`.
        func store() throws -> InteractionStore {
            if let withoutStore { throw withoutStore }
            return try opened ?? configuration.openStore(creating: false)
        }
    }

    /// Reads the configuration alone, for commands that need neither timetable nor roster.
    ///
    /// - Parameter needsStore: if `false`, the secret that may be needed to open the store is not read.
    func read(
        needsStore: Bool = true
    ) throws -> (configuration: MatcherConfiguration, settings: AttendanceSettings) {
        let secrets = ConfigurationFile.secrets(for: needsStore ? [.store] : [])
        let configuration = try MatcherConfiguration.load(config, secrets: secrets)
        guard let settings = configuration.attendance else { throw NoAttendance(path: config) }
        return (configuration, settings)
    }

    /// Reads the configuration, timetable and roster. If the store can be opened, notes badges of the roster that
    /// gateways claim as beacons of their places.
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
        // Without configured files there is nothing but what was uploaded to the store.
        if let failure, settings.timetableFiles.isEmpty || settings.rosterFile == nil { throw failure }
        let files = try AttendanceFiles.load(
            settings, uploads: try store?.uploads() ?? [], fixedBeacons: configuration.fixedSubjects, now: now)
        // A gateway's claim does not make the roster unreadable: otherwise one stolen gateway could stop all
        // attendance.
        let claimed = try store.map { try $0.fixedBeacons(since: now - 86_400) } ?? []
        for note in files.notes(claimed: claimed) { Terminal.note("note: \(note)") }
        return Opened(
            configuration: try store.map { try configuration.withDrawnFloors(of: $0) } ?? configuration,
            settings: settings, files: files, now: now, opened: store,
            withoutStore: failure)
    }
}

private struct NoAttendance: OperatorError {
    var path: String

    var what: String { "\(path) has no [attendance] table" }
    var meaning: String? { "no timetable and no roster are configured" }
    var remedy: String? {
        "add [attendance], with timetable-files and roster-file unless they are uploaded on the page; "
            + "docs/guide/matcher/attendance.md shows one"
    }
    var exitStatus: ExitStatus { .configuration }
}

/// Name on the command line that matches nothing.
struct UnknownName: OperatorError {
    var what: String
    var remedy: String?
    var exitStatus: ExitStatus { .usage }
}
