import FoundationEssentials

/// What was published about the gateway's radio, read as any consumer would.
enum RadioMessage {
    /// On the `status` topic.
    struct Status: Decodable {
        struct Adapter: Decodable {
            /// The number that it has, or had last.
            var adapter: String?
            var state: String
            var reason: String?
        }

        var state: String
        var radio: String?
        var adapters: [Adapter]?

        var isDeaf: Bool { radio == "deaf" }
        /// Why an adapter is deaf.
        var reasons: [String] { (adapters ?? []).filter { $0.state == "deaf" }.compactMap(\.reason) }
    }

    /// On the `health` topic.
    struct Health: Decodable {
        struct Radio: Decodable {
            var adapter: String?
            var state: String
            var reason: String?
            var faults: [String: Int]
            var steps: [String: Int]
        }

        var reports: Int
        var drops: [String: Int]
        var radios: [Radio]?
        var residentBytes: Int

        func faults(_ names: Set<String>) -> Int {
            (radios ?? []).flatMap(\.faults).filter { names.contains($0.key) }.reduce(0) { $0 + $1.value }
        }
    }

    /// On an `interaction` topic.
    struct Record: Decodable {
        struct Details: Decodable {
            struct Beacon: Decodable {
                var major: Int
                var minor: Int
            }

            var beacon: Beacon
            var endReason: String?
            var samples: Int
        }

        var type: String
        var time: String
        var data: Details

        var kind: String { String(type.dropFirst("interaction.".count)) }

        /// The UNIX time in seconds of what is told.
        var unixTime: Double? {
            let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            return (try? Date(time, strategy: format))?.timeIntervalSince1970
        }
    }

    /// On a `presence` topic; `nil` when nobody knows.
    struct Presence: Decodable {
        var present: Bool?
    }
}
