import BeaconModel
import Logging

extension Logger.Metadata {
    /// An error in a log: one line what happened, one what to do.
    package init(describing error: any Error) {
        self = ["error": "\(error.inOneLine)"]
        if let remedy = (error as? any OperatorError)?.remedy { self["remedy"] = "\(remedy)" }
    }
}
