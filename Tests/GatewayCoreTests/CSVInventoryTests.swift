import BeaconModel
import ModuleDialogues
import Testing

@testable import GatewayCore
@testable import OperatorText

@Suite struct CSVInventoryTests {
    private static let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"

    private func problems(_ text: String) -> [String] { InventoryFixture.problems(text, path: "a.csv") }

    @Test("A building of 50 modules, as a spreadsheet saves it, is read")
    func building() throws {
        let entries = try InventoryFixture.read("building.csv").entries
        #expect(entries.count == 50)
        #expect(entries.count { $0.kind == .hm10 } == 5)
        #expect(entries[0].name == "f1-01")
        #expect(entries[0].module == ModuleSelector("88:DA:1A:E8:06:00"))
        #expect(entries[0].configuration.interval == .appleIBeacon)
        #expect(entries[0].configuration.transmitPower == nil)
        #expect(entries[0].position == Place.Position(x: 3.5, y: 4, z: 2.6))
        #expect(entries[1].room == "Lobby, north side")
        #expect(entries[1].configuration.measuredPower == -59)
        #expect(entries[1].position?.z == 0)
        #expect(entries[2].room == #"Copy room "Gutenberg""#)
        #expect(entries[3].room == nil)
        #expect(entries[4].room == "Salle d’étude")
        #expect(entries[6].position == nil)
        #expect(entries[3].configuration.transmitPower == 31)
    }

    @Test("Semicolons, decimal commas, empty lines, and columns in another order and spelling are taken")
    func semicolons() throws {
        let entries = try InventoryFixture.read("semicolons.csv").entries
        #expect(entries.map(\.name) == ["door", "window", "stairs"])
        #expect(entries.map(\.configuration.beacon.minor) == [1, 2, 3])
        #expect(entries[0].position == Place.Position(x: 12.5, y: 4, z: 0))
        #expect(entries[1].position == nil)
        #expect(entries[2].position == Place.Position(x: -0.25, y: 3.75, z: 2.6))
        #expect(entries[2].module == ModuleSelector("88:DA:1A:E8:06:6F"))
    }

    @Test("All that is wrong is said at once, each with row, name, column, what was found and what is allowed")
    func wrong() throws {
        let position = "must be metres from the origin of the floor's plan: 12.5"
        let name = "must be made up of a-z, 0-9 and hyphens, because it becomes an MQTT topic level"
        let expected = [
            "row 2 (door), column major: found 65536; must be from 0 to 65535",
            "row 2 (door), column minor: found -1; must be from 0 to 65535",
            "row 3 (Door 2), column name: found \"Door 2\"; \(name)",
            "row 3 (Door 2), column module: found \"COM3\"; must be \(ModuleSelector.form)",
            "row 3 (Door 2), column kind: found \"xbee\"; must be rs9116 or hm10",
            "row 3 (Door 2), column uuid: found \"123\"; must be a UUID: 8-4-4-4-12 hexadecimal digits",
            "row 3 (Door 2), column major: found \"abc\"; must be a whole number from 0 to 65535",
            "row 3 (Door 2), column minor: is empty; must be from 0 to 65535",
            "row 3 (Door 2), column measured-power: found -200; must be from -127 to 20",
            "row 3 (Door 2), column interval: found \"5ms\"; must be \(DurationText.form), from 20ms to 10.24s",
            "row 4 (window), column transmit-power: found 32; must be from 1 to 31 (0 dBm chain), "
                + "33 to 63 (10 dBm chain) or 64 to 82 (high-power chain)",
            "row 4 (window), column y: is empty; \(position)",
            "row 5 (stairs), column interval: an hm10 does not support 120 ms; must be one of 100ms, 152.5ms, 211.25ms, "
                + "318.75ms, 417.5ms, 546.25ms, 760ms, 852.5ms, 1022.5ms, 1285ms, 2000ms, 3000ms, 4000ms, 5000ms, "
                + "6000ms, 7000ms; the nearest is 100ms",
            "row 5 (stairs), column transmit-power: found 4; must be from 0 to 3 (-23, -6, 0 and 6 dBm)",
            "row 5 (stairs), column x: found \"a\"; \(position)",
            "row 5 (stairs), column y: found \"1,5\"; \(position)",
            "row 7 (window), cell 14: found \"here\"; must be empty, because its column has no name",
            "row 7 (window), column name: \"window\" is used twice, in row 4 (window) too; must be unique",
            "row 7 (window), column module: \"88:DA:1A:E8:06:6F\" is used twice, in row 2 (door) too; must be unique",
            "row 7 (window), column minor: \(Self.uuid)/3/1 is used twice, in row 4 (window) too; the combination of "
                + "uuid, major and minor must be unique",
        ]
        let found = try InventoryFixture.problems("wrong.csv")
        for problem in expected { #expect(found.contains(problem), "\(problem) not in \(found)") }
        #expect(found.count == expected.count)
    }

    @Test("A column that is unknown, missing or there twice is an error of the header")
    func columns() throws {
        let known = ModuleReader.columns.joined(separator: ", ")
        let expected = [
            "row 1, column \"modul\": is unknown; the columns are \(known)",
            "row 1, column major: is duplicated; must occur once",
            "row 1, column \"notes\": is unknown; the columns are \(known)",
            "row 1, column module: is missing; must be \(ModuleSelector.form)",
        ]
        #expect(try InventoryFixture.problems("wrong-columns.csv") == expected)
        #expect(problems("a\tb\nc\td\n").first?.hasPrefix("row 1: has no known column name; ") == true)
        let many = String(repeating: "name,", count: 200)
        #expect(problems(many).first?.hasPrefix("row 1: has 201 columns; ") == true)
    }

    @Test("Quotes in the wrong place are said with their line, and nothing else is")
    func quotes() throws {
        let expected = [
            "line 2: an unquoted cell contains a quote; the cell must be quoted, and the quote doubled",
            "line 3: text follows a quoted cell; a quote inside a quoted cell must be doubled",
            "line 4: a quoted cell is not closed; its last character must be a quote",
        ]
        #expect(try InventoryFixture.problems("wrong-quotes.csv") == expected)
    }

    @Test("With a line break in a cell, rows are said by the line of the file")
    func lines() throws {
        let expected = ["line 4 (window), column minor: found 70000; must be from 0 to 65535"]
        let found = try InventoryFixture.problems("lines.csv")
        #expect(found == expected, "\(found)")
        let text = String(decoding: try InventoryFixture.bytes("lines.csv"), as: UTF8.self)
        let right = text.replacing("70000", with: "2")
        #expect(try Inventory.parse(right, path: "a.csv").entries[0].room == "Lobby\nnorth \"A\"")
        let windows = try Inventory.parse(right.replacing("\n", with: "\r\n"), path: "a.csv")
        #expect(windows.entries[0].room == "Lobby\r\nnorth \"A\"")
        #expect(windows.entries.count == 2)
    }

    @Test("Another encoding is refused with how to save the file")
    func encodings() throws {
        let windows =
            "line 3: has a character that is not UTF-8, perhaps Windows-1252; in the spreadsheet, save it as \"CSV "
            + "UTF-8\""
        #expect(try InventoryFixture.problems("windows-1252.csv") == [windows])
        let wide = "file: is UTF-16, or not text; in the spreadsheet, save it as \"CSV UTF-8\""
        #expect(try InventoryFixture.problems("utf-16.csv") == [wide])
    }

    @Test("Two modules may both be any")
    func any() throws {
        let text = "name,module,uuid,major,minor\na,any,\(Self.uuid),1,1\nb,ANY,\(Self.uuid),1,2"
        let inventory = try Inventory.parse(text, path: "a.CSV")
        #expect(inventory.entries.map(\.module) == [.anyNew, .anyNew])
    }

    @Test("Old line ends, and lines shorter and longer than the header, are taken when nothing is in the rest")
    func ragged() throws {
        let text = "name,module,uuid,major,minor,room\r\ra,any,\(Self.uuid),1,1\rb,any,\(Self.uuid),1,2,,,,"
        #expect(try Inventory.parse(text, path: "a.csv").entries.count == 2)
    }

    @Test("An empty file, one without a module, and too many modules are errors")
    func bounds() {
        let header = "name,module,uuid,major,minor,room\n"
        #expect(problems("").first?.hasPrefix("file: is empty; must begin with the column names: ") == true)
        #expect(problems(",,\n\n").count == 1)
        #expect(problems(header) == ["file: has no module; must have a line for each module below the column names"])
        func rows(_ count: Int) -> String {
            header + (0..<count).map { "a\($0),any,\(Self.uuid),1,\($0),\n" }.joined()
        }
        #expect(problems(rows(1000)) == [])
        #expect(problems(rows(1001)) == ["file: has 1001 modules; must have at most 1000"])
        let long = header + "a,any,\(Self.uuid),1,1," + String(repeating: "r", count: 1001)
        #expect(problems(long) == ["row 2 (a), column room: has 1001 bytes; must have at most 1000"])
        let name = header + String(repeating: "n", count: 51) + ",any,\(Self.uuid),1,1,"
        #expect(problems(name).first?.hasSuffix("column name: has 51 characters; must have at most 50") == true)
        let huge = [UInt8](repeating: 0x41, count: Inventory.longestFile + 1)
        #expect(
            InventoryFixture.problems(huge, path: "a.csv")
                == ["file: has 1048577 bytes; must have at most 1048576"])
    }

    @Test("What is shown of a cell is short and can't command a terminal")
    func excerpt() {
        #expect("a\u{1B}[2J\u{202E}\n".excerpt == "\"a?[2J??\"")
        #expect(String(repeating: "x", count: 61).excerpt == "\"" + String(repeating: "x", count: 60) + "...\"")
    }

    @Test("A mistake in each of many rows is listed a hundred times and counted")
    func many() throws {
        let rows = (0..<250).map { "a\($0),any,\(Self.uuid),x,1,\n" }.joined()
        let error = #expect(throws: InventoryError.self) {
            _ = try Inventory.parse("name,module,uuid,major,minor,room\n" + rows, path: "a.csv")
        }
        let lines = error?.what.split(separator: "\n") ?? []
        #expect(lines.count == 102)
        #expect(lines.first == "a.csv has 250 problems")
        #expect(lines.last == "  and 150 more")
        #expect(error?.exitStatus == .configuration)
    }
}
