public import BeaconModel

/// The modules of a site and what each must advertise.
public struct Inventory: Equatable, Sendable {
    /// Maximum number of entries; an inventory with more is rejected when it is read.
    public static let mostEntries = 1000

    /// The modules.
    public var entries: [InventoryEntry]

    /// Creates an inventory.
    public init(entries: [InventoryEntry] = []) { self.entries = entries }
}

/// One module of an inventory.
public struct InventoryEntry: Equatable, Sendable {
    /// Name of the module, used as a level of its topics: a-z, 0-9 and hyphens.
    public var name: String
    /// The module that the entry applies to.
    public var module: ModuleSelector
    /// The kind of module.
    public var kind: ModuleKind
    /// The identity and parameters that the module advertises.
    public var configuration: BeaconConfiguration
    /// The room in which the module is.
    public var room: String?
    /// Position of the module, in metres from the origin of the floor plan.
    public var position: Place.Position?
    /// Whether the module also listens, as a receiver at its own place.
    public var listens: Bool

    /// Creates an entry from its parts.
    public init(
        name: String, module: ModuleSelector, kind: ModuleKind = .rs9116, configuration: BeaconConfiguration,
        room: String? = nil, position: Place.Position? = nil, listens: Bool = false
    ) {
        self.name = name
        self.module = module
        self.kind = kind
        self.configuration = configuration
        self.room = room
        self.position = position
        self.listens = listens
    }
}
