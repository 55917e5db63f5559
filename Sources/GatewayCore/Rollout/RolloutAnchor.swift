import BeaconModel
package import OperatorText
package import RecordContract

/// What only a gateway's own file says, whatever configuration comes from afar: who the gateway is, whose commands it
/// obeys, and where its state is. Without these, nobody could reach it any more, or others could.
package struct RolloutAnchor: Equatable, Sendable {
    /// `site/building/floor/gateway`.
    package var gateway: String
    package var topicPrefix: String
    /// The key of commands; `nil`: the gateway is only configured locally.
    package var key: SigningKey?
    /// Whether the file allows it to be configured from afar: `rollout.enabled`.
    package var isEnabled: Bool
    package var stateDirectory: String
    package var localSocket: LocalSocketSetting

    package init(_ configuration: Configuration) {
        gateway = Self.path(configuration.place)
        topicPrefix = configuration.topicPrefix
        key = configuration.commands.key
        isEnabled = configuration.isConfiguredFromAfar
        stateDirectory = configuration.stateDirectory
        localSocket = configuration.localSocket
    }

    /// Whether the gateway obeys `configure`.
    package var obeys: Bool { isEnabled && key != nil }

    /// Why it does not.
    package var refusal: String? {
        if !isEnabled { return "this gateway is only configured locally: its own file has rollout.enabled = false" }
        return key == nil
            ? "this gateway has no commands.key-file, so anybody could have sent this; it is only configured locally"
            : nil
    }

    // MARK: Reading

    /// Reads the anchor alone: the rest of the file can be out of date while another configuration is in use.
    ///
    /// The parameters are those of `Configuration.parse`.
    package static func parse(
        _ text: String, path: String, secrets: SecretAccess, readFile: (String) throws -> [UInt8],
        locate: (String) -> String
    ) throws(ConfigurationError) -> RolloutAnchor {
        let problems = TOMLReader.Problems()
        guard let root = TOMLReader(text, problems: problems) else {
            throw ConfigurationError(path: path, problems: problems.all)
        }
        let place = root.table("place")
        if !root.has("place") { root.missing("place", allowed: "a table with site, building, floor and gateway") }
        let levels = ["site", "building", "floor", "gateway"].compactMap { key -> String? in
            guard let place else { return nil }
            if !place.has(key) { place.missing(key, allowed: ModuleReader.nameForm) }
            return Configuration.level(place, key)
        }
        let anchor = RolloutAnchor(
            gateway: levels.joined(separator: "/"),
            topicPrefix: root.table("mqtt").flatMap { Configuration.level($0, "prefix") } ?? "beacons",
            key: root.table("commands").flatMap {
                SigningKeyFile.read(
                    $0, of: "beacon-gateway command-key", for: .commands, secrets: secrets,
                    readFile: { try readFile(locate($0)) })
            },
            isEnabled: RolloutSettings.read(root), stateDirectory: Configuration.readStateDirectory(root, locate),
            localSocket: LocalSocketSetting.read(root, locate: locate))
        guard problems.all.isEmpty else { throw ConfigurationError(path: path, problems: problems.all) }
        return anchor
    }

    private init(
        gateway: String, topicPrefix: String, key: SigningKey?, isEnabled: Bool, stateDirectory: String,
        localSocket: LocalSocketSetting
    ) {
        self.gateway = gateway
        self.topicPrefix = topicPrefix
        self.key = key
        self.isEnabled = isEnabled
        self.stateDirectory = stateDirectory
        self.localSocket = localSocket
    }

    /// Reads a configuration that came from afar, for this gateway.
    ///
    /// - Parameters:
    ///   - name: the name of the text, for errors.
    ///   - locate: as for the gateway's own file: relative paths are relative to that.
    /// - Throws: `ConfigurationError` with all problems, also those of keys that only the own file can have.
    package func configuration(
        _ text: String, named name: String, secrets: SecretAccess, readFile: (String) throws -> [UInt8],
        locate: (String) -> String
    ) throws(ConfigurationError) -> Configuration {
        let problems = TOMLReader.Problems()
        guard let root = TOMLReader(text, problems: problems) else {
            throw ConfigurationError(path: name, problems: problems.all)
        }
        Self.reportOwnKeys(root)
        var configuration = Configuration.read(
            root, secrets: secrets, readFile: { try readFile(locate($0)) }, locate: locate)
        root.finish()
        reportOtherIdentity(configuration, root)
        guard problems.all.isEmpty else { throw ConfigurationError(path: name, problems: problems.all) }
        configuration.commands.key = key
        configuration.isConfiguredFromAfar = isEnabled
        configuration.stateDirectory = stateDirectory
        configuration.localSocket = localSocket
        return configuration
    }

    /// Reports keys that a configuration from afar cannot have, in any gateway.
    package static func reportOwnKeys(_ root: TOMLReader) {
        let allowed = "remove it: only the gateway's own file can say this"
        for key in ["state", "local-socket", "rollout"] where root.has(key) {
            root.report(key, found: "cannot be set from afar", allowed: allowed)
        }
        if let commands = root.table("commands"), commands.has("key-file") {
            commands.report("key-file", found: "cannot be set from afar", allowed: allowed)
        }
    }

    private static func path(_ place: Place) -> String {
        [place.site, place.building, place.floor, place.gateway].joined(separator: "/")
    }

    private func reportOtherIdentity(_ configuration: Configuration, _ root: TOMLReader) {
        let place = configuration.place
        // Levels that are missing or wrong are reported already.
        if Self.path(place) != gateway,
            [place.site, place.building, place.floor, place.gateway].allSatisfy({ !$0.isEmpty })
        {
            root.report(
                "place", found: "is that of \(Self.path(place))",
                allowed: "must be that of this gateway, \(gateway), which only its own file can change")
        }
        if configuration.topicPrefix != topicPrefix {
            root.report(
                "mqtt", found: "has the prefix \(configuration.topicPrefix)",
                allowed: "must have the prefix of this gateway, \(topicPrefix), which only its own file can change")
        }
    }
}
