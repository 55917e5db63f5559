import GatewayCore
import ModuleDialogues
import TestValues
import Testing

@Suite struct HostileInventoryTests {
    @Test(
        "Random changes of a good file never trap, and what is still read is within its bounds",
        arguments: ["building.csv", "semicolons.csv", "lines.csv", "building.toml"])
    func mutations(name: String) throws {
        var generator = SeededGenerator("HostileInventoryTests \(name)")
        // The first few lines of the long one are enough.
        let good = Array(try InventoryFixture.bytes(name).prefix(1200))
        for _ in 0..<1500 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...6, using: &generator) { Self.mutate(&bytes, using: &generator) }
            guard let inventory = try? Inventory.parse(bytes, path: name) else { continue }
            for entry in inventory.entries {
                #expect(!entry.name.isEmpty, generator.comment)
                #expect(entry.kind.allows(entry.configuration.interval), generator.comment)
                #expect(entry.configuration.transmitPower.map { entry.kind.allows(transmitPower: $0) } != false)
            }
            let names = Set(inventory.entries.map(\.name))
            let beacons = Set(inventory.entries.map(\.configuration.beacon))
            #expect(names.count == inventory.entries.count && beacons.count == names.count, generator.comment)
        }
    }

    private static let pieces = [
        "\"", "\"\"", ",", ";", "\n", "\r", "\r\n", "\u{FEFF}", "\u{0}", "=", "[", "]", "[[", "{", "}", "'''", "#", ".",
        "-", "65536", "-1", "9223372036854775808", "1e400", "nan", "é", "\u{1F600}", "any", "hm10", "   ", "\\u",
        "\u{85}", "\u{1}", "\u{B}", "\u{2028}", "\u{7F}", "\u{A0}", "[=", "[[[", "+", "_", "0x", "2026-11-", "07:32:",
        "inf", "\"\"\"", "\u{E000}", "\\", "\t",
    ]

    private static func mutate(_ bytes: inout [UInt8], using generator: inout SeededGenerator) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        let end = min(bytes.count, place + Int.random(in: 1...20, using: &generator))
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes.removeSubrange(place..<end)
        case 1: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &generator))
        case 2: bytes.insert(.random(in: 0...255, using: &generator), at: place)
        case 3: bytes.insert(contentsOf: Array((pieces.randomElement(using: &generator) ?? "").utf8), at: place)
        default:
            bytes.replaceSubrange(place..<end, with: Array((pieces.randomElement(using: &generator) ?? "").utf8))
        }
    }
}
