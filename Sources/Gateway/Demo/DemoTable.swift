import CommandSupport
import FoundationEssentials
import OperatorText
import RecordContract

/// Table of the received records, one line per record.
actor DemoTable {
    private(set) var records = 0
    private let statusTopic: String
    private let columns = FixedColumns([
        ("TIME (UTC)", 12), ("", 8), ("WHO", 9), ("PROXIMITY", 10), ("DISTANCE", 9),
        ("90 % BETWEEN", 14), ("HEARD", 6),
        ("RECORD", 0),
    ])

    init(statusTopic: String) { self.statusTopic = statusTopic }

    func showTitles() throws { try Terminal.print(columns.titles) }

    /// Shows a message.
    ///
    /// - Returns: `false` once the gateway is offline.
    func show(_ message: MQTTMessage) throws -> Bool {
        if message.topic == statusTopic {
            let status = try? JSONDecoder().decode(Status.self, from: Data(message.payload))
            return status?.state == "online"
        }
        guard message.topic.hasSuffix("/interaction"), case .record(let record) = ReceivedMessage(message),
            let beacon = record.data.beacon
        else { return true }
        records += 1
        let data = record.data
        let kind = record.type.split(separator: ".").last.map(String.init) ?? record.type
        try Terminal.print(
            columns.line([
                String(record.time.dropFirst(11).prefix(12)),
                kind,
                DemoBuilding.name(uuid: beacon.uuid, minor: beacon.minor),
                data.proximity ?? "-",
                data.distance.map { Format.fixed($0.metres, 1) + " m" } ?? "-",
                data.distance.map { Format.fixed($0.lower, 1) + " - " + Format.fixed($0.upper, 1) + " m" } ?? "-",
                "\(data.samples ?? 0)x",
                "#\(data.sequence)" + (data.endReason.map { " (\($0))" } ?? ""),
            ]))
        return true
    }

    private struct Status: Decodable {
        var state: String
    }
}
