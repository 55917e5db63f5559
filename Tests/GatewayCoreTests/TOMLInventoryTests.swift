import BeaconModel
import GatewayCore
import ModuleDialogues
import Testing

@Suite struct TOMLInventoryTests {
    @Test("A TOML inventory is read; what it doesn't say has a default")
    func building() throws {
        let entries = try InventoryFixture.read("building.toml").entries
        #expect(entries.map(\.name) == ["door", "window", "stairs"])
        #expect(entries.map(\.kind) == [.rs9116, .rs9116, .hm10])
        #expect(entries[0].configuration.measuredPower == -59)
        #expect(entries[0].configuration.interval == .appleIBeacon)
        #expect(entries[0].room == nil && entries[0].position == nil)
        #expect(entries[1].configuration.interval.units == 400)
        #expect(entries[1].configuration.transmitPower == 63)
        #expect(entries[1].room == "3060")
        #expect(entries[1].position == Place.Position(x: 12.5, y: 4, z: 2.6))
        #expect(entries[2].module == .usbSerial("HM0001"))
        #expect(entries[2].configuration.interval.units == 244)
    }

    @Test("All that is wrong is said at once, each with its key, what was found and what is allowed")
    func wrong() throws {
        let expected = [
            "modules[1].name: \"door\" is used twice, in modules[0] too; must be unique",
            "modules[1].module: found \"usb:\"; must be \(ModuleSelector.form)",
            "modules[1].minor: found a string; must be a whole number from 0 to 65535",
            "modules[1].interval: an hm10 does not support 10000 ms; must be one of 100ms, ",
            "modules[1].transmit-power: found 31; must be from 0 to 3 (-23, -6, 0 and 6 dBm)",
            "modules[1].colour: is unknown; the keys of this table are interval, kind, listen, major, ",
            "modules[2].port: is no longer supported; use module = ",
            "modules[2].major: found 65536; must be from 0 to 65535",
            "modules[2].minor: is missing; must be from 0 to 65535",
            "modules[2].position.y: is missing; must be metres from the origin of the floor's plan",
            "title: is unknown; the keys of this table are modules",
        ]
        let found = try InventoryFixture.problems("wrong.toml")
        for prefix in expected { #expect(found.contains { $0.hasPrefix(prefix) }, "\(prefix) not in \(found)") }
        #expect(found.count == expected.count, "\(found)")
    }

    @Test("A file is known by its name; one of another name is refused")
    func names() {
        for path in ["modules", "modules.xlsx", "csv", "a.toml.txt"] {
            #expect(
                InventoryFixture.problems("", path: path)
                    == ["file: has an unknown file extension; the name must end in .toml or .csv"])
        }
    }

    @Test("A file without modules, and one that is no TOML, are errors")
    func empty() {
        #expect(
            InventoryFixture.problems("", path: "a.toml")
                == ["modules: is missing; must be a list of tables: [[modules]]"])
        #expect(
            InventoryFixture.problems("modules = []", path: "a.toml")
                == ["modules: is empty; must have a table for each module"])
        let error = #expect(throws: InventoryError.self) {
            _ = try Inventory.parse("[[modules]]\nname = = 1", path: "a.toml")
        }
        #expect(error?.what == "a.toml has 1 problem\n  a.toml:2:8: found \"=\"; must be a value")
        #expect(
            InventoryFixture.problems([0x61, 0xE9], path: "a.toml")
                == ["line 1: has a character that is not UTF-8, perhaps Windows-1252; save it as UTF-8 text"])
    }
}
