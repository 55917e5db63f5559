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

    private static let header = "time,subject,receiver,rssi\n"

    private static let wrong: [(String, String, String)] = [
        ("readings.csv", "\(header)0.5,badge,z,-60\n", "row 2: receiver is \"z\""),
        ("readings.csv", "\(header)0.5,badge,a,loud\n", "row 2: rssi is \"loud\""),
        ("readings.csv", "\(header)0.5,badge,a,99\n", "rssi is \"99\", and must be a number of dBm from -127 to 20"),
        ("readings.csv", "\(header)1e300,badge,a,-60\n", "row 2: time is \"1e300\""),
        ("readings.csv", "\(header)1793606400000,badge,a,-60\n", "row 2: time is \"1793606400000\""),
        ("readings.csv", "\(header)0.5,,a,-60\n", "row 2: subject is empty"),
        ("readings.csv", "\(header)0,5,badge,a,-60\n", "row 2: has 5 cells, and the first row 4"),
        ("readings.csv", "\(header)\n0.5,badge,a,-60\r\n \n1.5,badge,z,-60\n", "row 5: receiver is \"z\""),
        ("readings.csv", "time,subject,rssi\n", "has no column receiver"),
        ("receivers.csv", "name,x,y\na,1e300,2\n", "row 2: x is \"1e300\""),
        ("receivers.csv", "name,x,y,z\na,2,2,high\n", "row 2: z is \"high\""),
        ("receivers.csv", "name,x,y\na,2,2\na,8,2\n", "row 3: name is \"a\", and must be unique, but is also in row 2"),
        ("receivers.csv", "name,x,y\na,2,9\n", "outside the floor's outline; correct x, y or z of its row"),
        ("truth.csv", "time,subject,x,y\nnoon,badge,1,1\n", "row 2: time is \"noon\""),
        ("truth.csv", "time,subject,x,y\n0.6,badge,2m,3\n", "row 2: x is \"2m\""),
        ("truth.csv", "time,subject,x,y\n0.6,badge,2,\n", "row 2: y is empty"),
        ("truth.csv", "time,subject\n0.6,badge\n", "has no column room and no columns x and y"),
        ("truth.csv", "time,subject,room\n0.6,badge,\"left\n", "row 2: a quote is not closed"),
        ("survey.csv", "time,badge,receiver,rssi,x,y\n0,s,a,-60,1,20000\n", "row 2: y is \"20000\""),
        ("plan.toml", "\(bareFloor("b", "0"))\(bareFloor("c", "0"))", "make a folder for each building"),
        ("plan.toml", "\(bareFloor("b", "0"))[[floors.doors]]\nat = [5, 2.5]\n", "is not on a wall"),
    ]

    /// Returns a floor without rooms, as a plan has it.
    private static func bareFloor(_ building: String, _ name: String, z: Int = 0) -> String {
        """
        [[floors]]
        site = "s"
        building = "\(building)"
        floor = "\(name)"
        z = \(z)
        outline = [[0, 0], [10, 0], [10, 5], [0, 5]]

        """
    }

    private static let attic =
        bareFloor("b", "0") + bareFloor("b", "1", z: 3)
        + "[[floors.rooms]]\nname = \"attic\"\npoints = [[0, 0], [5, 0], [5, 5], [0, 5]]\n"

    /// A recording with two floors, of which the upper one has a room.
    private var twoFloors: [String: String] {
        var files = files
        files["plan.toml"] = Self.attic
        files["receivers.csv"] = "name,x,y,floor\na,2,2,0\nb,8,2,s/b/1\n"
        files["truth.csv"] = "time,subject,room\n0.6,badge,attic\n0.7,badge,\n"
        return files
    }

    private func expectMistake(_ files: [String: String], in file: String, _ expected: String) {
        let error = #expect(throws: RecordingFolder.Mistake.self) {
            try folder(files) { _ = try RecordingFolder.read($0, name: "x") }
        }
        let text = error?.text ?? ""
        #expect(text.contains(expected) && text.contains(file), "\(text)")
    }

    @Test("a mistake is told with its file and row", arguments: wrong)
    func mistakes(file: String, text: String, expected: String) {
        var files = files
        files[file] = text
        expectMistake(files, in: file, expected)
    }

    @Test(
        "where a plan has several floors, each row needs one",
        arguments: [
            ("receivers.csv", "name,x,y\na,2,2\n", "row 2: floor is empty"),
            ("receivers.csv", "name,x,y,floor\na,2,2,7\n", "must be a floor of plan.toml: \"0\", \"1\""),
            ("truth.csv", "time,subject,x,y\n0.6,badge,2,3\n", "row 2: floor is empty"),
            ("truth.csv", "time,subject,room\n0.6,badge,corridor\n", "row 2: floor is empty"),
            ("truth.csv", "time,subject,room,floor\n0.6,badge,attic,0\n", "must be \"1\", on which room \"attic\" is"),
            ("survey.csv", "time,badge,receiver,rssi,x,y\n0,s,a,-60,1,2\n", "row 2: floor is empty"),
        ])
    func floors(file: String, text: String, expected: String) {
        var files = twoFloors
        files[file] = text
        expectMistake(files, in: file, expected)
    }

    @Test("the floor of a true position is that of its room")
    func floorOfRoom() throws {
        let recording = try #require(try folder(twoFloors) { try RecordingFolder.read($0, name: "x") })
        #expect(recording.receivers.map(\.floor) == [0, 1])
        #expect(recording.truth.map(\.floor) == [1, 0] && recording.truth.map(\.room) == [0, nil])
        #expect(recording.truth.map(\.isRoomKnown) == [true, false])
    }

    @Test("tables may have quotes, semicolons or tabs, a byte order mark, and any ends of lines")
    func forms() throws {
        var files = files
        files["receivers.csv"] = "\u{feff}name;x;y\r\n\"a\";2;2\r\nb;8;2\r\n"
        files["readings.csv"] = "time\tsubject\treceiver\trssi\n0.5\tbadge\ta\t-60\n"
        files["truth.csv"] = "time,\"subject\",room\r0.6,\"Ann, \"\"A\"\"\" , left\r"
        let recording = try #require(try folder(files) { try RecordingFolder.read($0, name: "x") })
        #expect(recording.receivers.map(\.path) == ["a", "b"] && recording.receivers.map(\.height) == [2, 2])
        #expect(recording.readings.map(\.rssi) == [-60])
        #expect(recording.truth.map(\.subject) == ["Ann, \"A\""] && recording.truth.map(\.room) == [0])
    }

    @Test("what is never heard, and rooms that the plan does not have, are noted")
    func notes() throws {
        var files = files
        files["readings.csv"] = "\(Self.header)0.5,badge,a,-60\n"
        files["truth.csv"]! += "1,Ann,2,3,left\n"
        let recording = try #require(try folder(files) { try RecordingFolder.read($0, name: "office") })
        let notes = [
            "no readings of subject \"Ann\" of truth.csv",
            "no readings of receiver \"b\" of receivers.csv",
            "plan.toml does not have room \"corridor\" of truth.csv, which counts as the floor between rooms",
        ]
        #expect(recording.notes == notes)
        let judgement = Judgement(recording)
        #expect(judgement.live.unseen == 1)
        for note in notes { #expect(PlacesReport.text(judgement).contains("note: office: " + note)) }
    }

    @Test("a note has at most five names")
    func manyNames() throws {
        var files = files
        files["truth.csv"] = "time,subject,room\n" + (1...7).map { "\($0),s\($0),left\n" }.joined()
        let recording = try #require(try folder(files) { try RecordingFolder.read($0, name: "office") })
        #expect(
            recording.notes == [
                "no readings of subjects \"s1\", \"s2\", \"s3\", \"s4\", \"s5\" and 2 more of truth.csv"
            ])
    }

    @Test("seconds before the origin are windows too, in their own minutes")
    func negativeTimes() {
        let readings = [-0.5, -59.5].enumerated().map { index, time in
            Recording.Reading(time: time, subject: "s", receiver: index, rssi: -60)
        }
        let windows = SecondWindows(readings).windows["s"] ?? []
        #expect(windows.map(\.end) == [-59, 0] && windows.map(\.silent) == [[0], [1]])
    }

    @Test("a number that no measurement gives is not printed")
    func numbers() {
        #expect(PlacesReport.number(1.234, 2) == "1.23")
        #expect(PlacesReport.number(1e300, 4) == "-" && PlacesReport.number(nil, 1) == "-")
    }
}
