import FloorPlans
import Glibc
import Localisation
import Testing

@testable import PlacesBenchmark

@Suite("Recordings of places")
struct RecordingFolderTests {
    /// Writes files to a new folder, and removes it afterwards.
    private func folder<Value>(_ files: [String: String], _ body: (String) throws -> Value) throws -> Value {
        var template = Array("/tmp/places-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw RecordingFolder.Mistake(text: "no folder") }
        let path = String(cString: made)
        for (name, text) in files {
            guard let file = fopen("\(path)/\(name)", "w") else { continue }
            fputs(text, file)
            fclose(file)
        }
        defer {
            for name in files.keys { unlink("\(path)/\(name)") }
            rmdir(path)
        }
        return try body(path)
    }

    private let files = [
        "plan.toml": """
        [[floors]]
        site = "s"
        building = "b"
        floor = "0"
        outline = [[0, 0], [10, 0], [10, 5], [0, 5]]
        [[floors.rooms]]
        name = "left"
        points = [[0, 0], [5, 0], [5, 5], [0, 5]]
        [[floors.rooms]]
        name = "right"
        points = [[5, 0], [10, 0], [10, 5], [5, 5]]
        [[floors.doors]]
        at = [5, 2.5]
        """,
        "receivers.csv": "name,x,y,z\na,2,2,2.5\nb,8,2,2.5\n",
        "readings.csv": "time,subject,receiver,rssi\n0.5,badge,a,-60\n1.5,badge,b,-75\n",
        "truth.csv": "time,subject,x,y,room\n0.6,badge,2,3,left\n2026-11-02T08:00:00Z,badge,2,3,corridor\n",
    ]

    @Test("a folder in the neutral format is read")
    func read() throws {
        let recording = try #require(try folder(files) { try RecordingFolder.read($0, name: "office") })
        #expect(recording.plans[0].rooms.map(\.name) == ["left", "right"])
        #expect(recording.receivers.map(\.path) == ["a", "b"] && recording.receivers[0].height == 2.5)
        #expect(recording.readings.map(\.rssi) == [-60, -75])
        #expect(recording.truth[0].room == 0 && recording.truth[0].position == PlanPoint(x: 2, y: 3))
        // A room that the plan doesn't have is the floor between rooms.
        #expect(recording.truth[1].room == nil && recording.truth[1].isRoomKnown)
        #expect(recording.truth[1].time == 1_793_606_400)
    }

    @Test("a folder without a plan is no recording")
    func other() throws {
        #expect(try folder(["x.csv": "a\n"]) { try RecordingFolder.read($0, name: "x") } == nil)
    }

    @Test(
        "a mistake is told with its file and row",
        arguments: [
            ("readings.csv", "time,subject,receiver,rssi\n0.5,badge,z,-60\n", "row 2: receiver is \"z\""),
            ("readings.csv", "time,subject,receiver,rssi\n0.5,badge,a,loud\n", "row 2: rssi is \"loud\""),
            ("readings.csv", "time,subject,rssi\n", "has no column receiver"),
            ("truth.csv", "time,subject,x,y\nnoon,badge,1,1\n", "row 2: time is \"noon\""),
        ])
    func mistakes(file: String, text: String, expected: String) throws {
        var files = files
        files[file] = text
        let error = #expect(throws: RecordingFolder.Mistake.self) {
            try folder(files) { _ = try RecordingFolder.read($0, name: "x") }
        }
        #expect(error?.text.contains(expected) == true && error?.text.contains(file) == true)
    }
}
