import OperatorText
import Testing

@Suite struct TOMLReaderTests {
    /// Reads a text and returns what is wrong, each as a line of a message.
    private func lines(_ text: String, _ read: (TOMLReader) -> Void = { _ in }) -> [String] {
        let problems = TOMLReader.Problems()
        if let root = TOMLReader(text, problems: problems) { read(root) }
        return problems.all.map { $0.line(in: "a.toml") }
    }

    @Test("What is no TOML has file, line and column")
    func syntax() {
        #expect(lines("[place]\nsite = = 1\n") == ["a.toml:2:8: found \"=\"; must be a value"])
        #expect(lines("site = A") == ["a.toml:1:8: found \"A\"; must be in quotes if it is a string"])
        #expect(
            lines("a = 1\na = 2") == ["a.toml:2:1: \"a\" already has a value, in line 1; must occur once"])
    }

    @Test("A value of another type has the position of its key, and of the element in a list")
    func types() {
        let text = """
            s = 1
            i = "x"
            n = inf
            b = 1
            l = ["x",
              2]
            m = [1, 'x']
            t = 1979-05-27
            u = [
              1]
            d = 5
            """
        let found = lines(text) { root in
            _ = root.string("s")
            _ = root.integer("i", in: 1...2)
            _ = root.number("n")
            _ = root.boolean("b")
            #expect(root.strings("l") == ["x"])
            #expect(root.numbers("m") == [1])
            #expect(root.table("t") == nil)
            #expect(root.tables("u").isEmpty)
            _ = root.duration("d", in: .seconds(1)...(.seconds(60)))
            root.finish()
        }
        #expect(
            found == [
                "a.toml:1:1: s: found a whole number; must be a string in quotes",
                "a.toml:2:1: i: found a string; must be a whole number from 1 to 2",
                "a.toml:3:1: n: found a decimal number; must be a number",
                "a.toml:4:1: b: found a whole number; must be true or false",
                "a.toml:6:3: l[1]: found a whole number; must be a string in quotes",
                "a.toml:7:9: m[1]: found a string; must be a number",
                "a.toml:8:1: t: found a date or time; must be a table: [t]",
                "a.toml:10:3: u[0]: found a whole number; must be a table",
                "a.toml:11:1: d: found 5; must have a unit, in quotes: \"5s\"",
            ])
    }

    @Test("A missing key has the position of its table's name, or the file alone")
    func missing() {
        let found = lines("[place]\n[[modules]]\n[[ modules ]]\nposition = { x = 1 }\n") { root in
            root.missing("site", allowed: "a name")
            root.table("place")?.missing("floor", allowed: "a name")
            let modules = root.tables("modules")
            modules.last?.missing("major", allowed: "a number")
            modules.last?.table("position")?.missing("y", allowed: "metres")
        }
        #expect(
            found == [
                "a.toml: site: is missing; must be a name",
                "a.toml:1:2: place.floor: is missing; must be a name",
                "a.toml:3:4: modules[1].major: is missing; must be a number",
                "a.toml:4:1: modules[1].position.y: is missing; must be metres",
            ])
    }

    @Test("A key that isn't known has its position and the keys that are known")
    func unknown() {
        let found = lines("[mqtt]\nprot = 1\nport = 2\n[mqqt]\n") { root in
            let mqtt = root.table("mqtt")
            _ = mqtt?.integer("port", in: 1...65535)
            mqtt?.finish()
            root.finish()
        }
        #expect(
            found == [
                "a.toml:2:1: mqtt.prot: is unknown; the keys of this table are port",
                "a.toml:4:2: mqqt: is unknown; the keys of this table are mqtt",
            ])
    }

    @Test(
        "A problem of the whole file with a key further inside has the position of that key",
        arguments: [
            ("beacons.uuids", "1:9"), ("beacons.uuids[1]", "1:23"), ("beacons.uuids[7]", "1:9"),
            ("beacons.other", "1:1"), ("place.beacon", "2:2"), ("place.beacon.major", "2:2"),
            ("modules", "3:3"), ("modules[1].name", "5:1"), ("modules[1].minor", "4:3"), ("modules[x].minor", "3:3"),
            ("modules[]", "3:3"), ("q.r[0]", "6:2"),
        ])
    func paths(path: String, position: String) {
        let text = "beacons.uuids = ['a', 'b']\n[place]\n[[modules]]\n[[modules]]\nname = 'n'\n['q.r[0]']\n"
        #expect(
            lines(text) { $0.report(path, found: "f", allowed: "a") } == ["a.toml:\(position): \(path): f; a"])
    }

    @Test("Problems of another file that this one names keep their positions")
    func adopted() {
        let other = ConfigurationProblem(
            location: "major", position: TextPosition(line: 3, column: 5), found: "f", allowed: "a")
        let found = lines("x = 1") { $0.adopt([other], of: "b.toml") }
        #expect(found == ["b.toml:3:5: major: f; a"])
    }
}
