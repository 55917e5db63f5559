import CommandSupport
import FoundationEssentials
import OperatorText
import RecordContract

/// Table of the received records, one line per record.
actor DemoTable {
    private(set) var records = 0
    private let statusTopic: String
    private let layout = TableLayout(
        [
            .init("TIME (UTC)", width: 12), .init("", width: 8), .init("WHO", width: 9),
            .init("PROXIMITY", width: 10, leastWidth: 9), .init("DISTANCE", width: 9, leastWidth: 8),
            .init("90 % BETWEEN", width: 14, leastWidth: 13), .init("HEARD", width: 6),
            .init("RECORD", width: 16, leastWidth: 12),
        ], width: Terminal.tableWidth)

    init(statusTopic: String) { self.statusTopic = statusTopic }

    func showTitles() throws {
        for line in layout.titles { try Terminal.print(line) }
    }

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
        let lines = layout.row(
            [
                String(record.time.dropFirst(11).prefix(12)),
                kind,
                DemoBuilding.name(uuid: beacon.uuid, minor: beacon.minor),
                data.proximity ?? "-",
                data.distance.map { Format.fixed($0.metres, 1) + " m" } ?? "-",
                data.distance.map { Format.fixed($0.lower, 1) + " - " + Format.fixed($0.upper, 1) + " m" } ?? "-",
                "\(data.samples ?? 0)x",
                "#\(data.sequence)" + (data.endReason.map { " (\($0))" } ?? ""),
            ])
        for line in lines { try Terminal.print(line) }
        return true
    }

    private struct Status: Decodable {
        var state: String
    }
}
