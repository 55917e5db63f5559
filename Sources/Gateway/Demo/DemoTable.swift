import FoundationEssentials
import MQTTBridge

/// Shows what a subscriber receives, a line a record.
actor DemoTable {
    private(set) var records = 0
    private let statusTopic: String
    private let titles = ["TIME", "", "WHO", "PROXIMITY", "DISTANCE", "90 % BETWEEN", "HEARD", "RECORD"]
    private let widths = [12, 8, 9, 10, 9, 14, 6, 0]

    init(statusTopic: String) { self.statusTopic = statusTopic }

    func showTitles() throws { try Terminal.print(row(titles)) }

    /// - Returns: `false` once the gateway is gone.
    func show(_ message: MQTTMessage) throws -> Bool {
        if message.topic == statusTopic {
            let status = try? JSONDecoder().decode(Status.self, from: Data(message.payload))
            return status?.state == "online"
        }
        guard message.topic.hasSuffix("/interaction"),
            let record = try? JSONDecoder().decode(Record.self, from: Data(message.payload))
        else { return true }
        records += 1
        let data = record.data
        let kind = record.type.split(separator: ".").last.map(String.init) ?? record.type
        try Terminal.print(
            row([
                String(record.time.dropFirst(11).prefix(12)),
                kind,
                DemoBuilding.name(uuid: data.beacon.uuid, minor: data.beacon.minor),
                data.proximity,
                data.distance.map { Format.fixed($0.metres, 1) + " m" } ?? "-",
                data.distance.map { Format.fixed($0.lower, 1) + " - " + Format.fixed($0.upper, 1) + " m" } ?? "-",
                "\(data.samples)x",
                "#\(data.sequence)" + (data.endReason.map { " (\($0))" } ?? ""),
            ]))
        return true
    }

    private func row(_ cells: [String]) -> String {
        zip(cells, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }.joined(separator: "  ")
    }

    private struct Status: Decodable {
        var state: String
    }

    private struct Record: Decodable {
        var time: String
        var type: String
        var data: Payload

        struct Payload: Decodable {
            var beacon: Beacon
            var proximity: String
            var distance: Distance?
            var samples: Int
            var sequence: Int
            var endReason: String?
        }

        struct Beacon: Decodable {
            var uuid: String
            var minor: UInt16
        }

        struct Distance: Decodable {
            var metres: Double
            var lower: Double
            var upper: Double
        }
    }
}
