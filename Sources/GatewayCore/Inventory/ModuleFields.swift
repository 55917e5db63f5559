package import BeaconModel
package import OperatorText

/// The fields of one module in an inventory file.
package protocol ModuleFields: FileFields {
    func position() -> Place.Position?

    /// Returns a Boolean field; `nil` if it is missing or is not a Boolean, which is reported.
    func truth(_ key: String) -> Bool?
}
