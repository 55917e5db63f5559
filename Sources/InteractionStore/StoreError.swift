package import BeaconModel
import OperatorText

/// An error between this process and the database.
package struct StoreError: OperatorError, Equatable {
    package var what: String
    package var meaning: String?
    package var remedy: String?
    package var exitStatus: ExitStatus
    /// Whether the database aborted the transaction in favour of another one: a retry may succeed at once.
    package var isConflict = false

    /// Whether the data itself is the cause, so that a retry would fail again: not the connection, the disk or another
    /// process.
    package var isOfData: Bool { exitStatus == .data }

    package init(
        _ what: String, meaning: String? = nil, remedy: String? = nil, exitStatus: ExitStatus = .inputOutput
    ) {
        self.what = what
        self.meaning = meaning
        self.remedy = remedy
        self.exitStatus = exitStatus
    }

    /// The error of a command that needs a store where there is none.
    package static func noStore(_ location: StoreLocation) -> StoreError {
        StoreError(
            "there is no store at \(location)", remedy: "check the location of the matcher's store",
            exitStatus: .unavailable)
    }

    /// A matcher of an earlier version leads, and would go on leading a store that it cannot read.
    static func usedByEarlierVersion(_ location: StoreLocation) -> StoreError {
        StoreError(
            "a matcher of an earlier version uses the store \(location)",
            remedy: "stop it first; this program then upgrades the store", exitStatus: .unavailable)
    }

    /// The tables have a version that this program cannot use.
    ///
    /// - Parameter program: version of the program that made them, if it is known.
    static func wrongVersion(_ version: Int64, by program: String?, _ location: StoreLocation) -> StoreError {
        let author = program.map { ", made by beacon-matcher \($0.shown(upTo: 40))" } ?? ""
        let isNewer = version > StoreSchema.version
        return StoreError(
            "the store \(location) has schema version \(version)\(author); this program, beacon-matcher "
                + "\(ProductVersion.number), knows the versions \(StoreSchema.earliest) to \(StoreSchema.version)",
            meaning: "nothing was changed",
            remedy: isNewer
                ? "install \(program.map { "beacon-matcher \($0.shown(upTo: 40)) or a later one" } ?? "a later version"), "
                    + "or restore a backup that an earlier version made: beacon-matcher restore FILE --replace"
                : "specify another store: no released version made these tables",
            // The service manager must not start the program again and again.
            exitStatus: .configuration)
    }

    /// PostgreSQL does not accept a NUL in a text, and stops reading there.
    static var nul: StoreError { StoreError("a text contains a NUL character", exitStatus: .data) }
}
