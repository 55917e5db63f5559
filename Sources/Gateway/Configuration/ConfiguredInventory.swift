import BeaconModel
import OperatorText
import UARTConfig

extension Configuration {
    /// The modules of the file's own tables, or of the inventory file that it names.
    static func readInventory(
        _ root: TOMLReader, path: String, readFile: (String) throws -> [UInt8]
    ) -> Inventory {
        let modules = root.modules()
        let file = root.parsed("inventory", allowed: "the path of a .toml or .csv file", { $0.isEmpty ? nil : $0 })
        guard let file else { return modules }
        guard !root.has("modules") else {
            root.report(
                "inventory", found: "is given beside [[modules]]",
                allowed: "give one of them: the modules here, or the file that lists them")
            return modules
        }
        let inventoryPath = resolve(file, besides: path)
        let bytes: [UInt8]
        do {
            bytes = try readFile(inventoryPath)
        } catch {
            root.report(
                "inventory", found: error.inOneLine,
                allowed: "must be a file of at most \(Inventory.longestFile) bytes that this user can read")
            return modules
        }
        do throws(InventoryError) {
            return try Inventory.parse(bytes, path: inventoryPath)
        } catch {
            root.adopt(error.problems, of: error.path)
            return modules
        }
    }

    /// A path as it is meant in the file `other`: relative to the directory of that file.
    private static func resolve(_ path: String, besides other: String) -> String {
        guard !path.hasPrefix("/"), let slash = other.lastIndex(of: "/") else { return path }
        return other[...slash] + path
    }
}
