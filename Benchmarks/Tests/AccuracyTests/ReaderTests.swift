import CSQLite
import Testing

@testable import AccuracyBenchmark

@Suite("Readers of recordings")
struct ReaderTests {
    @Test("PACT: a window stays in its run, distance and angle; damaged rows are counted")
    func pact() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(
            "pact-some/any_runs.csv", "run,condition,receiver_model,beacon_model\n1,\"Close/a,b\",X,Y\n2,Far/c,X,Z\n")
        _ = try folder.write(
            "pact-some/any.csv",
            """
            run,t_s,rssi_dbm,range_ft,angle_deg
            1,0,-60,6,0
            1,1,-62,6,0
            1,2,-64,6,45
            1,3,oops,6,45
            1,15,-66,6,45
            2,0,-70,6,0
            2,1,127,6,0
            2,2,-72,10,0

            """)
        var log = ReadingLog()
        let readings = PACTReader.read(folder.path, &log)
        let windows = try #require(readings.first).windows
        #expect(readings.map(\.dataSet) == ["any"])
        #expect(windows.map { $0.packets.map(\.rssi) } == [[-60, -62], [-64], [-66], [-70], [-72]])
        #expect(windows.map(\.group) == ["a,b", "a,b", "a,b", "c", "c"])
        // A far run with a near distance contradicts itself.
        #expect(windows.map(\.metresAreTrusted) == [true, true, true, false, true])
        #expect(log.lines.contains { $0.hasSuffix("8 rows, 1 malformed, 1 dropped in cleaning") })
    }

    @Test("UJI: the scans of a point are one window for each beacon that was heard")
    func uji() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("uji-ble/dep/z.csv", "id,x,y\n7,0,0\n8,3,4\n")
        _ = try folder.write("uji-ble/rss/z_rss.csv", "-60,100\n-62,-80\n100,-81\n-70\n")
        _ = try folder.write("uji-ble/rss/z_crd.csv", "3,0\n3,0\n0,0\n0,0\n")
        _ = try folder.write("uji-ble/rss/z_ids.csv", "12200101\n12200102\n12200201\n12200202\n")
        var log = ReadingLog()
        let readings = UJIReader.read(folder.path, &log)
        let windows = try #require(readings.first).windows
        #expect(readings.map(\.dataSet) == ["uji_z_12dbm"])
        #expect(windows.map(\.group) == ["7", "8", "8"])
        #expect(windows.map(\.metres) == [3, 4, 5])
        #expect(windows.map { $0.packets.map(\.rssi) } == [[-60, -62], [-80], [-81]])
        #expect(windows.allSatisfy { $0.powerHint == -12 })
        let visits = try #require(readings.first?.visits?.visits)
        #expect(visits.map(\.x) == [3, 0])
        #expect(visits[0].heard == [.init(anchor: 0, count: 2, mean: -61), .init(anchor: 1, count: 1, mean: -80)])
        #expect(visits[1].heard == [.init(anchor: 1, count: 1, mean: -81)])
    }

    @Test("DP-3T: ids are text or numbers, times seconds or milliseconds, and a distance may be missing")
    func database() throws {
        let folder = try TemporaryFolder()
        let name = "dp3t-bt-measurements/exp9-some%where/scenario1.sqlite"
        folder.makeFolders(of: name)
        try execute(
            "\(folder.path)/\(name)",
            """
            CREATE TABLE results(db_id INTEGER PRIMARY KEY, receiver_id INT, receiver_model TEXT, transmitter_id INT,
                transmitter_model TEXT, timestamp REAL, rssi INTEGER, tx_power INTEGER, ground_truth_distance REAL);
            INSERT INTO results VALUES(1, 4, 'm', '5', 'm', 1587102486000, -70, -20, 1.5);
            INSERT INTO results VALUES(2, 5, 'm', '4', 'm', 1587102484000, -80, NULL, NULL);
            INSERT INTO results VALUES(3, 5, 'm', '5', 'm', 1587102484000, -80, NULL, NULL);
            """)
        var log = ReadingLog()
        let recording = try #require(DP3TReader.read(folder.path, &log).first)
        #expect(recording.dataSet == "dp3t_exp9")
        #expect(recording.packets.map(\.time) == [0, 2])
        #expect(recording.packets.map(\.metres) == [nil, 1.5])
        #expect(recording.packets.map { recording.people[$0.receiver] } == ["5", "4"])
        #expect(log.lines.contains { $0.hasSuffix("3 rows, 1 malformed, 0 dropped in cleaning") })
    }

    @Test("A file that is no database is skipped with what SQLite says of it")
    func noDatabase() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("dp3t-bt-measurements/exp9/scenario1.sqlite", String(repeating: "no database ", count: 99))
        var log = ReadingLog()
        #expect(DP3TReader.read(folder.path, &log).isEmpty)
        #expect(log.skipped.contains { $0.hasSuffix("scenario1.sqlite: file is not a database") })
    }

    @Test("A recording whose clock goes in steps of 100 s gives windows but no presence")
    func clockless() throws {
        let folder = try TemporaryFolder()
        let rows =
            (0..<60).map { "a,300,\(-60 - $0 % 3),60.1,60.1,100,1" } + [
                "b,1.5,-60,60.1,60.1,40,1", "b,2.5,-61,1,1,40,1",
            ]
        _ = try folder.write(
            "rss-humanhuman/RSS_humanXX.csv",
            "device,elapsed,rss,mRSS10,mRSS100,dist,label\n" + rows.joined(separator: "\n"))
        var log = ReadingLog()
        let reading = try #require(HumanHumanReader.read(folder.path, &log).first)
        #expect(reading.windows.map(\.packets.count) == [60, 2])
        #expect(reading.windows.map(\.metres) == [1, 0.4])
        #expect(reading.streams.map(\.times) == [[1.5, 2.5]])
    }

    @Test("Nothing is read where nothing is")
    func nothing() throws {
        let folder = try TemporaryFolder()
        var log = ReadingLog()
        #expect(PACTReader.read(folder.path, &log).isEmpty && HumanHumanReader.read(folder.path, &log).isEmpty)
        #expect(UJIReader.read(folder.path, &log).isEmpty && KolakowskiReader.read(folder.path, &log).isEmpty)
        #expect(DP3TReader.read(folder.path, &log).isEmpty)
    }

    private struct Failure: Error {}

    private func execute(_ path: String, _ statements: String) throws {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        guard sqlite3_open(path, &handle) == SQLITE_OK, sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK
        else { throw Failure() }
    }
}
