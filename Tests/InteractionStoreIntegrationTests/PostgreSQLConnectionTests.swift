import BeaconModel
import InteractionStore
import TestSupport
import Testing

@Suite struct PostgreSQLConnectionTests {
    @Test(
        "A password isn't shown, wherever it is",
        arguments: [
            ("postgresql://matcher:sesame@db.example.org/beacons", "PostgreSQL at db.example.org/beacons"),
            (
                "postgresql://db.example.org:5433/beacons?password=a%40sesame",
                "PostgreSQL at db.example.org:5433/beacons"
            ),
            ("postgresql://matcher:what?sesame@db.example.org/beacons", "PostgreSQL at db.example.org/beacons"),
            ("host=db.example.org dbname=beacons password=sesame", "PostgreSQL at db.example.org/beacons"),
            ("postgresql:///beacons?password=a@sesame", "a PostgreSQL database"),
            ("postgresql://matcher:%zzsesame@db.example.org/beacons", "a PostgreSQL database"),
        ])
    func shown(text: String, description: String) {
        #expect("\(StoreLocation.postgreSQL(text))" == description)
    }

    @Test(
        "A string that can't be read is an error that quotes nothing of it",
        arguments: ["postgresql://matcher:%zzsesame@db.example.org/beacons", "host=db password sesame"])
    func unreadable(text: String) {
        let location = StoreLocation.postgreSQL(text)
        let opened = #expect(throws: StoreError.self) { try InteractionStore.open(location) }
        let leased = #expect(throws: StoreError.self) { try StoreLease.acquire(location, .matcher("m")) }
        for error in [opened, leased] {
            #expect(error?.what == "the connection string of the store is malformed")
            #expect(error?.exitStatus == .configuration)
            #expect(error.map { "\($0)".contains("sesame") } == false)
        }
    }

    @Test func `A standby that can't connect says why`() throws {
        let directory = try TemporaryDirectory()
        let location = StoreLocation.postgreSQL("host=\(directory.path) dbname=none")
        let error = #expect(throws: StoreError.self) { try StoreLease.acquire(location, .matcher("m")) }
        #expect(error?.what.contains("No such file or directory") == true, "\(error?.what ?? "")")
        #expect(error?.exitStatus == .unavailable)
    }
}
