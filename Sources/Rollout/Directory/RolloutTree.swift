import BeaconModel
package import OperatorText

/// The files of the directory by what they are for: `fleet.toml`, `common.toml` at any level, and one for each gateway.
package struct RolloutTree: Sendable {
    /// `fleet.toml`; `nil` if it is missing.
    package private(set) var settings: RolloutFile?
    /// Files for all gateways of a place, by the levels of that place.
    private var common: [[String]: RolloutFile] = [:]
    private var own: [GatewayPath: RolloutFile] = [:]
    /// Files that are at no place where a file can be.
    package private(set) var problems: [ConfigurationProblem] = []

    package static let settingsName = "fleet.toml"
    package static let commonName = "common.toml"
    /// Maximum number of files in a directory.
    package static let mostFiles = 20_000
    /// Maximum size of a file in bytes.
    package static let longestFile = 262_144

    /// - Parameter files: the files whose names end in `.toml`.
    package init(_ files: [RolloutFile]) {
        for file in files.sorted(by: { $0.path < $1.path }) { take(file) }
    }

    package var gateways: [GatewayPath] { own.keys.sorted() }

    /// Returns the files that make up a gateway's configuration. Each overrides those before it.
    package func files(for gateway: GatewayPath) -> [RolloutFile] {
        let levels = gateway.levels
        return (0..<levels.count).compactMap { common[Array(levels.prefix($0))] } + [own[gateway]].compactMap(\.self)
    }

    private mutating func take(_ file: RolloutFile) {
        if file.path == Self.settingsName {
            settings = file
            return
        }
        let levels = file.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let places = Array(levels.dropLast())
        if levels.last == Self.commonName, places.count < 4 {
            common[places] = file
        } else if places.count == 3, let name = levels.last, name.hasSuffix(".toml") {
            guard let path = GatewayPath(places + [String(name.dropLast(".toml".count))]) else {
                return refuse(
                    file, found: "is no place of a gateway",
                    allowed: "each of SITE/BUILDING/FLOOR/GATEWAY must have a-z, 0-9 and -, and be short enough")
            }
            own[path] = file
        } else {
            refuse(
                file, found: "is at no place where a file can be",
                allowed: "must be fleet.toml, common.toml in the directory of a place, or "
                    + "SITE/BUILDING/FLOOR/GATEWAY.toml")
        }
    }

    private mutating func refuse(_ file: RolloutFile, found: String, allowed: String) {
        problems.append(ConfigurationProblem(found: found, allowed: allowed, file: file.path))
    }
}
