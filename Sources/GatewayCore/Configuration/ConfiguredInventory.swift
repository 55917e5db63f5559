import BeaconModel
import ModuleDialogues
import OperatorText

extension Configuration {
    /// Returns the modules of the file's own tables, or those of the inventory file that it names together with that
    /// file's path.
    static func readInventory(
        _ root: TOMLReader, readFile: (String) throws -> [UInt8], locate: (String) -> String
    ) -> (Inventory, file: String?) {
        let modules = root.modules()
        let file = root.parsed("inventory", allowed: "the path of a .toml or .csv file", { $0.isEmpty ? nil : $0 })
        guard let file else { return (modules, nil) }
        guard !root.has("modules") else {
            root.report(
                "inventory", found: "is given together with [[modules]]",
                allowed: "give only one: the modules here, or the file that lists them")
            return (modules, nil)
        }
        let inventoryPath = locate(file)
        let bytes: [UInt8]
        do {
            bytes = try readFile(file)
        } catch {
            root.report(
                "inventory", found: error.inOneLine,
                allowed: "must be a file of at most \(Inventory.longestFile) bytes that this user can read")
            return (modules, nil)
        }
        do throws(InventoryError) {
            return (try Inventory.parse(bytes, path: inventoryPath), inventoryPath)
        } catch {
            root.adopt(error.problems, of: error.path)
            return (modules, nil)
        }
    }
}
