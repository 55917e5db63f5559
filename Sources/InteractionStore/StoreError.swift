package import BeaconModel

/// What can go wrong between this process and the database.
package struct StoreError: OperatorError, Equatable {
    package var what: String
    package var meaning: String?
    package var remedy: String?
    package var exitStatus: ExitStatus
    /// Whether the database ended the transaction for the sake of another one: the same again may succeed at once.
    package var isConflict = false

    /// Whether what was to be stored is to blame, and would be again: not the connection, the disk or another process.
    package var isOfData: Bool { exitStatus == .data }

    package init(
        _ what: String, meaning: String? = nil, remedy: String? = nil, exitStatus: ExitStatus = .inputOutput
    ) {
        self.what = what
        self.meaning = meaning
        self.remedy = remedy
        self.exitStatus = exitStatus
    }

    static func noStore(_ location: StoreLocation) -> StoreError {
        StoreError(
            "there is no store at \(location)", remedy: "look whether that is the location of the matcher's store",
            exitStatus: .unavailable)
    }

    /// PostgreSQL takes no NUL in a text, and ends reading there.
    static var nul: StoreError { StoreError("a text holds a NUL", exitStatus: .data) }
}
