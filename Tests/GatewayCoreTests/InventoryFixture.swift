import ModuleDialogues
import OperatorText
import TestValues

@testable import GatewayCore

/// The inventory files beside these tests.
enum InventoryFixture {
    static func bytes(_ name: String) throws -> [UInt8] {
        try Repository.read("Tests/GatewayCoreTests/Inventories/" + name)
    }

    static func read(_ name: String) throws -> Inventory { try Inventory.parse(bytes(name), path: name) }

    /// What is wrong in a file.
    static func problems(_ name: String) throws -> [String] { problems(try bytes(name), path: name) }

    static func problems(_ text: String, path: String) -> [String] { problems(Array(text.utf8), path: path) }

    static func problems(_ bytes: [UInt8], path: String) -> [String] {
        do throws(InventoryError) {
            _ = try Inventory.parse(bytes, path: path)
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }
}
