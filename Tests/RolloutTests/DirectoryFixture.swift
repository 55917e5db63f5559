import OperatorText

@testable import Rollout

/// A small directory of configurations.
enum DirectoryFixture {
    static let common = RolloutFile(
        path: "common.toml",
        text: """
            [mqtt]
            host = "broker.example.org"
            port = 8883
            password-file = "mqtt-password"
            [beacons]
            uuids = ["e2c56db5-dffb-48d2-b060-d0f5a71096e0"]
            [interactions]
            silence = "30s"

            """)
    static let floor = RolloutFile(
        path: "campus/main/1/common.toml", text: "[mqtt]\nhost = \"floor.example.org\"\nusername = \"u\"\n")
    static let east = RolloutFile(path: "campus/main/1/east.toml", text: "[place]\nroom = \"101\"\n")
    static let west = RolloutFile(path: "campus/main/1/west.toml", text: "")
    static let hall = RolloutFile(path: "campus/main/2/hall.toml", text: "[mqtt]\nusername = \"hall\"\n")

    static let files = [common, floor, east, west, hall]

    static func read(_ files: [RolloutFile]) -> PlannedConfigurations {
        PlannedConfigurations(RolloutTree(files), prefix: "beacons")
    }

    /// Returns the lines of problems of the files with further ones, which replace those of the same path.
    static func problems(_ further: RolloutFile...) -> [String] {
        let paths = Set(further.map(\.path))
        return read(files.filter { !paths.contains($0.path) } + further).problems.map { $0.line(in: "directory") }
    }
}
