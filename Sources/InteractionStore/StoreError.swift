public import BeaconModel

/// What can go wrong between this process and the database.
public struct StoreError: OperatorError, Equatable {
    public var what: String
    public var meaning: String?
    public var remedy: String?
    public var exitStatus: ExitStatus

    public init(
        _ what: String, meaning: String? = nil, remedy: String? = nil, exitStatus: ExitStatus = .inputOutput
    ) {
        self.what = what
        self.meaning = meaning
        self.remedy = remedy
        self.exitStatus = exitStatus
    }
}
