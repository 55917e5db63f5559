import BeaconModel
public import Logging

extension Logger.Metadata {
    /// An error in a log: one line what happened, one what to do.
    public init(describing error: any Error) {
        guard let error = error as? any OperatorError else {
            self = ["error": "\(error)"]
            return
        }
        self = ["error": "\(error.what)"]
        if let remedy = error.remedy { self["remedy"] = "\(remedy)" }
    }
}
