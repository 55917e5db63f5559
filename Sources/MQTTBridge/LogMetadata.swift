import BeaconModel
import Logging

extension Logger.Metadata {
    /// Creates log metadata for an error: one line for what happened, one for the remedy.
    package init(describing error: any Error) {
        self = ["error": "\(error.inOneLine)"]
        if let remedy = (error as? any OperatorError)?.remedy { self["remedy"] = "\(remedy)" }
    }
}
