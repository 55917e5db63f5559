import BeaconModel
import Exposition
import InteractionStore
import Matching
package import OperatorText
import Publishing
import RecordContract
import Timetables

extension MatcherConfiguration {
    /// Maximum number of messages in flight. All that the broker sends before it waits is stored in one transaction.
    private static let inFlight = BrokerSettings.InFlight(usual: 2000, most: 2000)

    package static func read(
        _ root: TOMLReader, secrets: SecretAccess, readFile: (String) throws -> [UInt8],
        locate: (String) -> String
    ) -> MatcherConfiguration {
        let mqtt = root.table("mqtt")
        let prefix = mqtt?.parsed("prefix", allowed: levelForm) { Topics.isLevel($0) ? $0 : nil } ?? "beacons"
        let clientID =
            mqtt?.parsed("client-id", allowed: "1 to 64 characters of a-z, A-Z, 0-9, - and _") {
                isClientID($0) ? $0 : nil
            }
            ?? "beacon-matcher"
        let filters = readFilters(mqtt, prefix: prefix)
        let share = mqtt?.parsed("share", allowed: levelForm) { Topics.isLevel($0) ? $0 : nil }
        let hasExpiry = mqtt?.has("session-expiry") ?? false
        var broker = BrokerSettings.read(
            mqtt, clientID: clientID, inFlight: inFlight, secrets: secrets, readFile: readFile,
            locate: locate)
        // A weekend without a matcher loses nothing.
        if !hasExpiry { broker.sessionExpiry = .seconds(14 * 86_400) }
        let store = readStore(root, secrets: secrets, readFile: readFile, locate: locate)
        if share != nil, case .sqlite = store.location {
            mqtt?.report(
                "share", found: "is set, but the store is an SQLite file",
                allowed:
                    "must not be set: each matcher would store only a part of the records; share a PostgreSQL database"
            )
        }
        if hasExpiry, broker.sessionExpiry <= .zero {
            mqtt?.report(
                "session-expiry", found: "is 0",
                allowed: "must be longer: messages that arrive while the matcher is not connected would be lost")
        }
        let zone = readZone(root)
        let days = zone?.days ?? .utc
        let policies = readPolicies(root, days: days, readFile: readFile)
        return MatcherConfiguration(
            store: store.location, retention: store.retention, readingRetention: store.readingRetention,
            dailyQuota: store.dailyQuota, broker: broker, namesClientID: mqtt?.has("client-id") ?? false,
            zone: zone, days: days,
            topicPrefix: prefix, filters: filters,
            share: share, policy: policies.chosen, policies: policies.all, neighbours: readNeighbours(root),
            rooms: readRooms(root), api: readAPI(root), page: readPage(root, secrets: secrets, readFile: readFile),
            pictures: readPictures(root),
            operators: readOperators(root, secrets: secrets, readFile: readFile),
            phones: readPhones(root),
            reports: readReports(root, secrets: secrets, readFile: readFile),
            notices: readNotices(root, secrets: secrets, readFile: readFile),
            mail: readMail(root, secrets: secrets, readFile: readFile),
            attendance: readAttendance(root, zone: zone, locate: locate),
            localisation: readLocalisation(root, readFile: readFile, locate: locate),
            signing: readSigning(root, secrets: secrets, readFile: readFile), namesSigning: root.has("signing"),
            commands: readCommands(root, secrets: secrets, readFile: readFile), namesCommands: root.has("commands"),
            metrics: MetricsSettings.read(root, port: MetricsSettings.matcherPort),
            occupancyKinds: readOccupancyKinds(root))
    }

    private static let levelForm = "made up of a-z, 0-9 and -"

    private static func isClientID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
    }

    /// Reads the topic filters. `site/building` selects all gateways of a building: omitted levels match everything.
    private static func readFilters(_ mqtt: TOMLReader?, prefix: String) -> [String] {
        let root = "\(prefix)/v\(Contract.version)/"
        let all = [root + "#"]
        guard let mqtt, let texts = mqtt.strings("places") else { return all }
        var filters: [String] = []
        for (index, text) in texts.enumerated() {
            let levels = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard (1...4).contains(levels.count), levels.allSatisfy({ Topics.isLevel($0) || $0 == "+" }) else {
                mqtt.report(
                    "places[\(index)]", found: "found \(text.excerpt)",
                    allowed:
                        "must be SITE, SITE/BUILDING, SITE/BUILDING/FLOOR or SITE/BUILDING/FLOOR/GATEWAY; + matches "
                        + "any level"
                )
                continue
            }
            filters.append(root + text + "/#")
        }
        for (index, filter) in filters.enumerated()
        where filters[..<index].contains(where: { TopicFilter.overlap($0, filter) }) {
            mqtt.report(
                "places[\(index)]", found: "overlaps an earlier entry", allowed: "name each gateway once")
        }
        if texts.isEmpty || texts.count > 64 {
            mqtt.report("places", found: "has \(texts.count) entries", allowed: "must have 1 to 64")
        }
        return filters.isEmpty ? all : filters
    }

    private static func readStore(
        _ root: TOMLReader, secrets: SecretAccess, readFile: (String) throws -> [UInt8],
        locate: (String) -> String
    ) -> (location: StoreLocation, retention: Int64, readingRetention: Int64, dailyQuota: Int64) {
        var (location, retention, quota) = (StoreLocation.sqlite(defaultStore), Int64(14), Int64(256_000_000))
        guard let reader = root.table("store") else { return (location, retention, retention, quota) }
        defer { reader.finish() }
        // An unreadable value is not quoted: there may be a password in it.
        let neither = "neither a path nor a valid connection string"
        if let text = reader.string("location") {
            if let read = StoreLocation(text) {
                location = read
            } else {
                reader.report(
                    "location", found: text.isEmpty ? "found \"\"" : "is \(neither)",
                    allowed: "must be \(StoreLocation.form)")
            }
        }
        if let path = reader.string("location-file") {
            if reader.has("location") {
                reader.report(
                    "location-file", found: "is given together with location", allowed: "give only one of the two")
            }
            if let contents = secrets.read(reader, "location-file", path, for: .store, by: readFile) {
                let line = String(String(decoding: contents, as: UTF8.self).prefix { !$0.isNewline })
                if let read = StoreLocation(line) {
                    location = read
                } else {
                    reader.report(
                        "location-file", found: "\(path) " + (line.isEmpty ? "is empty" : "has \(neither)"),
                        allowed: "must contain \(StoreLocation.form)")
                }
            }
        }
        if case .sqlite(let path) = location { location = .sqlite(locate(path)) }
        retention = reader.integer("retention-days", in: 1...365).map(Int64.init) ?? retention
        let readings = reader.integer("readings-retention-days", in: 1...365).map(Int64.init)
        quota =
            reader.parsed("daily-quota", allowed: "from 1MB to 1TB: \(ByteSizeText.form)") { text in
                ByteSizeText.parse(text).flatMap { (1_000_000...1_000_000_000_000).contains($0) ? Int64($0) : nil }
            } ?? quota
        return (location, retention, readings ?? retention, quota)
    }

    private static func readZone(_ root: TOMLReader) -> CalendarZone? {
        guard let reader = root.table("site") else { return nil }
        defer { reader.finish() }
        return reader.parsed("time-zone", allowed: CalendarZone.form + " of this system's tzdata") { CalendarZone($0) }
    }

    private static func readPolicies(
        _ root: TOMLReader, days: CalendarDays, readFile: (String) throws -> [UInt8]
    ) -> (chosen: Policy, all: [String: Policy]) {
        var all: [String: Policy] = [:]
        for name in Policy.shippedNames { all[name] = Policy.shipped(name) }
        let standard = "six-metre-five-minute"
        let reader = root.table("matching")
        defer { reader?.finish() }
        for (index, path) in (reader?.strings("policy-files") ?? []).enumerated() {
            do {
                let policy = try PolicyFile.parse(String(decoding: readFile(path), as: UTF8.self), path: path)
                if let other = all[policy.name], other.version == policy.version {
                    reader?.report(
                        "policy-files[\(index)]",
                        found: "\(path) has the name and version of another policy, \(policy.name) \(policy.version)",
                        allowed: "give it another name or version")
                }
                all[policy.name] = policy
            } catch let error as ConfigurationError {
                reader?.adopt(error.problems, of: path)
            } catch {
                reader?.report(
                    "policy-files[\(index)]", found: error.inOneLine, allowed: "must be a file that this user can read")
            }
        }
        for name in all.keys { all[name]?.days = days }
        let known = all.keys.sorted().joined(separator: ", ")
        let chosen = reader?.parsed("policy", allowed: "one of \(known)") { all[$0] } ?? all[standard]
        // The default policy is shipped with the program.
        return (chosen ?? all.values.first ?? Self.none, all)
    }

    private static var none: Policy {
        Policy(
            name: "none", version: "0", title: "", source: "",
            contact: ContactRule(radius: 0, window: 0, nearness: .sumOfDistances, period: .day, leastMinutes: 0),
            risk: RiskRule(measure: .exposures, days: 1, steps: []))
    }

    private static func readNeighbours(_ root: TOMLReader) -> [Neighbours] {
        let readers = root.tables("neighbours")
        if readers.count > 10_000 {
            root.report("neighbours", found: "has \(readers.count) entries", allowed: "must have at most 10000")
        }
        return readers.compactMap { reader in
            defer { reader.finish() }
            for key in ["places", "distance"] where !reader.has(key) {
                reader.missing(
                    key,
                    allowed: key == "places"
                        ? "two places: UUID/MAJOR/MINOR of a fixed beacon, or SITE/BUILDING/FLOOR/GATEWAY"
                        : "their distance: \"4m\"")
            }
            let texts = reader.strings("places") ?? []
            let places = texts.enumerated().compactMap { index, text -> String? in
                if let place = beaconPlace(text) ?? receiverPlace(text.lowercased()) { return place }
                reader.report(
                    "places[\(index)]", found: "found \(text.excerpt)",
                    allowed: "must be UUID/MAJOR/MINOR of a fixed beacon, or SITE/BUILDING/FLOOR/GATEWAY")
                return nil
            }
            if reader.has("places"), texts.count != 2 || places.count == 2 && Set(places).count != 2 {
                reader.report("places", found: "names \(texts.count)", allowed: "must name two different places")
            }
            let distance = reader.parsed("distance", allowed: "from 0.1m to 100m") { text in
                text.hasSuffix("m") ? Metres.parse(text, in: 0.1...100) : nil
            }
            guard Set(places).count == 2 else { return nil }
            return distance.map { Neighbours(places: places, centimetres: Int64(($0 * 100).rounded())) }
        }
    }
}
