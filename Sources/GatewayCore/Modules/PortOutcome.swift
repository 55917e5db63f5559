import BeaconModel
package import ModuleDialogues

/// The outcome for one port.
package struct PortOutcome: Sendable {
    package var port: SerialPortDescription
    package var identity: ModuleIdentity?
    package var entry: InventoryEntry?
    package var change: PlannedChange?
    /// State of the module after applying; `nil` otherwise.
    package var provisioned: ProvisionedModule?
    package var error: (any Error)?
    package var seconds = 0.0

    package init(
        port: SerialPortDescription, identity: ModuleIdentity? = nil, entry: InventoryEntry? = nil,
        change: PlannedChange? = nil, provisioned: ProvisionedModule? = nil, error: (any Error)? = nil,
        seconds: Double = 0.0
    ) {
        self.port = port
        self.identity = identity
        self.entry = entry
        self.change = change
        self.provisioned = provisioned
        self.error = error
        self.seconds = seconds
    }
}
