package import BeaconModel
package import ModuleDialogues
import OperatorText

extension TOMLReader: ModuleFields {
    package func position() -> Place.Position? {
        guard let position = table("position") else { return nil }
        let x = position.number("x")
        let y = position.number("y")
        let z = position.number("z")
        for key in ["x", "y"] where !position.has(key) {
            position.missing(key, allowed: "metres from the origin of the floor's plan")
        }
        position.finish()
        return Place.Position(x: x ?? 0, y: y ?? 0, z: z ?? 0)
    }

    package func truth(_ key: String) -> Bool? { boolean(key) }

    /// Returns the modules of the `[[modules]]` tables of a file. Problems are left with the reader.
    package func modules() -> Inventory {
        var modules = ModuleReader()
        let readers = tables("modules")
        if readers.count > Inventory.mostEntries {
            report(
                "modules", found: "has \(readers.count) modules",
                allowed: "must have at most \(Inventory.mostEntries)")
        }
        let entries = readers.prefix(Inventory.mostEntries).compactMap { reader in
            if reader.has("port") {
                reader.retired("port", instead: "use module = \"/dev/serial/by-id/...\"", replacedBy: "module")
            }
            let entry = modules.read(reader)
            reader.finish()
            return entry
        }
        return Inventory(entries: entries)
    }
}
