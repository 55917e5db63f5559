package import BeaconModel
package import OperatorText

/// What a file says of one module.
package protocol ModuleFields: FileFields {
    func position() -> Place.Position?

    /// `nil` when it isn't given, or isn't one; then that was reported.
    func truth(_ key: String) -> Bool?
}
