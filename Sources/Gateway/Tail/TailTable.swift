import BeaconModel
import OperatorText
import RecordContract

/// Formatter for received messages, one line per record, with counters. Pure.
struct TailTable: Sendable {
    enum Form: Sendable {
        /// Table for a terminal.
        ///
        /// - Parameter width: number of characters in a line; `nil` for one line per record.
        case table(isColoured: Bool, width: Int? = nil)
        /// JSON for a program: the records as they were received.
        case json
    }

    /// Destination of a line.
    enum Output: Equatable, Sendable {
        case line(String)
        /// Note apart from the lines, which are for a program.
        case note(String)
    }

    private(set) var records = 0
    private(set) var signals = 0
    private(set) var damaged = 0
    private(set) var others = 0
    private let form: Form
    private let showsPresence: Bool
    /// Module names by the beacon that the module advertises.
    private var names: [ReceivedRecord.Beacon: String] = [:]
    private static let mostNames = 4096

    private let layout: TableLayout

    private static func layout(width: Int?) -> TableLayout {
        TableLayout(
            [
                .init("TIME (UTC)", width: 12), .init("RECORD", width: 13, leastWidth: 9),
                .init("BEACON", width: 24, leastWidth: 14), .init("COUNTERPART", width: 22, leastWidth: 17),
                .init("WHERE", width: 16, leastWidth: 10), .init("DISTANCE", width: 8),
                .init("90 % BETWEEN", width: 13), .init("PROXIMITY", width: 9), .init("MIN IN 3M/6M", width: 12),
                // What is said here is of any length.
                .init("", width: width == nil ? 0 : 40, leastWidth: width == nil ? 0 : 24),
            ], width: width)
    }

    /// Creates an empty table.
    ///
    /// - Parameter showsPresence: whether retained presences are shown.
    init(form: Form, showsPresence: Bool) {
        self.form = form
        if case .table(_, let width) = form {
            layout = Self.layout(width: width)
        } else {
            layout = Self.layout(width: nil)
        }
        self.showsPresence = showsPresence
    }

    /// Header line; `nil` for JSON.
    var titles: String? {
        switch form {
        case .table: layout.titles.joined(separator: "\n")
        case .json: nil
        }
    }

    mutating func take(_ message: MQTTMessage) -> Output? {
        switch ReceivedMessage(message) {
        case .record(let record):
            records += 1
            return show(record, message.payload)
        case .signals(let signals):
            self.signals += 1
            return show(signals, message)
        case .damaged(let why):
            damaged += 1
            let text = "no record on \(message.topic.shown(upTo: Topics.longestTopic)): \(why.shown(upTo: 200))"
            switch form {
            case .table(let isColoured, _): return .line(Self.coloured(text, .damaged, isColoured))
            case .json: return .note(text)
            }
        case .presence(let presence, let beacon, let gateway):
            guard showsPresence else { return nil }
            return show(presence, of: beacon, gateway: gateway, message)
        case .module(let name, let beacon):
            guard name.utf8.count <= 64, ProximityUUID(beacon.uuid) != nil else { return nil }
            if names.count < Self.mostNames || names[beacon] != nil { names[beacon] = name }
            return nil
        case .other:
            others += 1
            return nil
        }
    }

    /// Final counts of the messages received.
    var summary: String {
        let parts = [
            (records, "record", "records"), (signals, "message of signals", "messages of signals"),
            (damaged, "message that is not a record", "messages that are not records"),
        ]
        return parts.enumerated().filter { $0.offset == 0 || $0.element.0 > 0 }
            .map { "\($0.element.0) \($0.element.0 == 1 ? $0.element.1 : $0.element.2)" }.joined(separator: ", ")
    }

    // MARK: Records

    private func show(_ record: ReceivedRecord, _ payload: [UInt8]) -> Output {
        guard case .table(let isColoured, _) = form else {
            return .line(String(decoding: payload, as: UTF8.self).asciiJSON)
        }
        let data = record.data
        let parts = record.type.split(separator: ".", maxSplits: 1)
        let kind = parts.last.map(String.init) ?? ""
        let isHistorical = data.historical == true
        var cells = [clock(record.time)]
        switch parts.first {
        case "interaction": cells.append(kind)
        case "social-distance": cells.append("near " + kind)
        default: cells.append(record.type.replacing(".", with: " "))
        }
        if record.type == "readings" { return show(readings: record, isColoured) }
        let badges = data.badges ?? []
        cells.append((badges.first ?? data.beacon).map(name) ?? "-")
        cells.append(badges.dropFirst().first.map(name) ?? data.counterpart.map(name) ?? data.module ?? "-")
        cells.append(data.place.gateway + (data.place.room.map { "/" + $0 } ?? ""))
        if let error = data.error {
            cells += ["", "", "", "", error + (data.remedy.map { "; what to do: " + $0 } ?? "")]
        } else {
            let minutes = data.expectedMinutesWithin
            cells += self.cells(data.distance, data.proximity)
            cells.append(
                minutes.map { Format.fixed($0.threeMetres, 1) + " / " + Format.fixed($0.sixMetres, 1) } ?? "")
            cells.append(data.endReason.map { "(\($0))" } ?? "")
        }
        if isHistorical { cells[cells.count - 1] += " historical, of \(record.time.prefix(10))" }
        let colour: Colour? =
            switch kind {
            case "failed": .failed
            case _ where isHistorical: .old
            case "started", "recovered": .began
            default: nil
            }
        return row(cells, colour, isColoured)
    }

    private func show(readings record: ReceivedRecord, _ isColoured: Bool) -> Output {
        let data = record.data
        let isHistorical = data.historical == true
        return row(
            cells(record.time, "readings", data.place) + [
                heard(data.subjects ?? [], listened: data.listenedSeconds ?? 0)
                    + (isHistorical ? ", historical, of \(record.time.prefix(10))" : "")
            ], isHistorical ? .old : nil, isColoured)
    }

    private func show(_ signals: ReceivedSignals, _ message: MQTTMessage) -> Output {
        guard case .table(let isColoured, _) = form else { return wrapped(message, as: "signals") }
        return row(
            cells(signals.time, "signals", signals.place) + [
                heard(signals.subjects, listened: signals.listenedSeconds)
            ], .old, isColoured)
    }

    /// Returns the first cells of readings and signals.
    private func cells(_ time: String, _ kind: String, _ place: ReceivedRecord.Place) -> [String] {
        let receiver = place.gateway + (place.ear.map { " by \($0)" } ?? "")
        return [clock(time), kind, "-", "-", receiver + (place.room.map { "/" + $0 } ?? ""), "", "", "", ""]
    }

    /// Returns how long a receiver listened, and how many beacons and phones it received.
    private func heard(_ groups: [ReceivedRecord.Group], listened: Double) -> String {
        func count(_ groups: [ReceivedRecord.Group], _ one: String, _ many: String) -> String {
            let number = groups.reduce(0) { $0 + $1.counts.count }
            return "\(number) \(number == 1 ? one : many)"
        }
        let beacons = groups.filter { $0.kind == "beacon" }
        let phones = groups.filter { $0.kind != "beacon" }
        let advertisements = groups.reduce(0.0) { $0 + $1.counts.reduce(0.0) { $0 + Double($1) } }
        let heard =
            groups.isEmpty
            ? (listened > 0 ? "received nothing" : "did not listen")
            : "received " + count(beacons, "beacon", "beacons")
                + (phones.isEmpty ? "" : ", " + count(phones, "phone", "phones"))
                + ", \(Format.fixed(advertisements, 0)) advertisements"
        return "listened \(Format.fixed(listened, 1)) s, " + heard
    }

    /// Returns a message that is not a record as a line for a program.
    private func wrapped(_ message: MQTTMessage, as name: String) -> Output {
        let topic = String(decoding: JSON.encode(message.topic), as: UTF8.self).asciiJSON
        let payload = String(decoding: message.payload, as: UTF8.self).asciiJSON
        return .line(#"{"\#(name)":\#(payload),"topic":\#(topic)}"#)
    }

    private func show(
        _ presence: ReceivedPresence, of beacon: ReceivedRecord.Beacon, gateway: String, _ message: MQTTMessage
    ) -> Output {
        guard case .table(let isColoured, _) = form else { return wrapped(message, as: "presence") }
        let state = presence.present.map { $0 ? "present" : "absent" } ?? "unknown"
        let cells =
            [clock(presence.lastSeenAt), state, name(beacon), "", gateway]
            + cells(presence.distance, presence.proximity) + ["", "of \(presence.lastSeenAt.prefix(10))"]
        return row(cells, .old, isColoured)
    }

    // MARK: Cells

    private func row(_ cells: [String], _ colour: Colour?, _ isColoured: Bool) -> Output {
        let lines = layout.row(cells.dropLast().map { $0.shown(upTo: 40) } + [cells.last?.shown(upTo: 300) ?? ""])
        return .line(lines.map { Self.coloured($0, colour, isColoured) }.joined(separator: "\n"))
    }

    private func cells(_ distance: ReceivedRecord.Distance?, _ proximity: String?) -> [String] {
        [
            distance.map { Format.fixed($0.metres, 1) + " m" } ?? "-",
            distance.map { Format.fixed($0.lower, 1) + " - " + Format.fixed($0.upper, 1) + " m" } ?? "-",
            proximity ?? "-",
        ]
    }

    /// Returns the time of day of an RFC 3339 time.
    private func clock(_ time: String) -> String { String(time.dropFirst(11).prefix(12)) }

    private func name(_ beacon: ReceivedRecord.Beacon) -> String {
        let short = "\(beacon.uuid.prefix(4))../\(beacon.major)/\(beacon.minor)"
        return names[beacon].map { "\($0.shown(upTo: 20)) \(short)" } ?? short
    }

    private func name(_ counterpart: ReceivedRecord.Counterpart) -> String {
        counterpart.kind == "gateway" ? "gateway" : "phone \(counterpart.id.prefix(8))..."
    }

    private enum Colour: String {
        case began = "32"
        case failed = "31"
        case damaged = "33"
        case old = "2"
    }

    private static func coloured(_ line: String, _ colour: Colour?, _ isColoured: Bool) -> String {
        guard isColoured, let colour else { return line }
        return "\u{1B}[\(colour.rawValue)m\(line)\u{1B}[0m"
    }
}
