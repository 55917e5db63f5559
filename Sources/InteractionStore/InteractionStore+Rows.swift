import Evidence
import Matching
import RecordContract

extension InteractionStore {
    /// Writes the stays that phones ranged, at places whose numbers are known. Each place has one stay per phone and
    /// start.
    func write(_ stays: [(place: Int64, record: InteractionRecord)], today: Int64, _ session: any SQLSession) throws {
        guard !stays.isEmpty else { return }
        try names.prepareSubjects(stays.map(\.record), today: today, session)
        var latest: [RowKey: InteractionRecord] = [:]
        for (place, record) in stays {
            let key = RowKey(
                place: place, started: record.start, origin: names.number(of: record.origin),
                number: names.number(of: record.subject))
            if let other = latest[key], other.position >= record.position { continue }
            latest[key] = record
        }
        try write(
            latest.sorted { $0.key < $1.key }.map {
                RecordSelection.Candidate(key: $0.key, subject: $0.key.number, record: $0.value)
            },
            session)
    }

    /// Writes the rows of interactions.
    func write(_ rows: [RecordSelection.Candidate], _ session: any SQLSession) throws {
        try partitions.makeInteractions(of: Set(rows.map { $0.key.started / Self.day }), session)
        var values: [Int64?] = []
        values.reserveCapacity(rows.count * StoreSchema.interactionColumns.count)
        for row in rows {
            let (key, record) = (row.key, row.record)
            // Appended one by one: a literal would allocate an array for each row.
            values.append(key.place)
            values.append(key.started)
            values.append(key.origin)
            values.append(key.number)
            values.append(row.subject)
            values.append(record.end)
            values.append(record.state.rawValue)
            values.append(Int64(bitPattern: record.position.boot))
            values.append(Int64(bitPattern: record.position.sequence))
            values.append(record.samples)
            values.append(record.rssi)
            values.append(record.distance?.centimetres)
            values.append(record.distance?.lower)
            values.append(record.distance?.upper)
            values.append(record.within3m)
            values.append(record.within6m)
            values.append(record.seconds3m)
            values.append(record.seconds6m)
            values.append(record.clockIsSynchronized ? 1 : 0)
        }
        try session.insert(StoreSchema.interactionInsertion, rows: values)
        let longest = rows.map { $0.record.end - $0.key.started }.max() ?? 0
        if longest > self.longest {
            try session.execute("UPDATE extent SET longest = $1 WHERE longest < $1", [.integer(longest)])
            self.longest = longest
        }
    }
}
