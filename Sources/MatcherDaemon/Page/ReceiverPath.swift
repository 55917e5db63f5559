/// Path of a receiver by its levels: `site/building/floor/gateway`, followed by the receiver if it is not the gateway's
/// own radio. Pure.
struct ReceiverPath {
    private var levels: [Substring]

    init(_ path: String) { levels = path.split(separator: "/") }

    /// Levels by themselves; empty where the path ends before them.
    var site: String { level(0) }
    var buildingName: String { level(1) }
    var floorName: String { level(2) }

    /// `site/building`.
    var building: String { levels.prefix(2).joined(separator: "/") }

    /// `site/building/floor`.
    var floor: String { levels.prefix(3).joined(separator: "/") }

    /// `site/building/floor/gateway`.
    var gateway: String { levels.prefix(4).joined(separator: "/") }

    /// Name of the receiver on its floor: gateway, and the receiver's own name.
    var name: String { levels.dropFirst(3).joined(separator: "/") }

    private func level(_ index: Int) -> String { index < levels.count ? String(levels[index]) : "" }
}
