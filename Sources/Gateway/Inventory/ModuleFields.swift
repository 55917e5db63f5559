import BeaconModel
import OperatorText

/// What a file says of one module.
protocol ModuleFields: FileFields {
    func position() -> Place.Position?
}
