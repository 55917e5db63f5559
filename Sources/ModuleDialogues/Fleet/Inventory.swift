public import BeaconModel

/// Which module shall advertise what.
public struct Inventory: Equatable, Sendable {
    /// More is refused when an inventory is read.
    public static let mostEntries = 1000

    public var entries: [InventoryEntry]

    public init(entries: [InventoryEntry] = []) { self.entries = entries }
}

/// One module of an inventory.
public struct InventoryEntry: Equatable, Sendable {
    /// A level of the module's topics: a-z, 0-9 and hyphens.
    public var name: String
    public var module: ModuleSelector
    public var kind: ModuleKind
    public var configuration: BeaconConfiguration
    public var room: String?
    /// Where the module hangs, in metres from the origin of the floor's plan.
    public var position: Place.Position?
    /// Whether the module listens too: a receiver of its own, at its place.
    public var listens: Bool

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
