import Matching

/// The numbers by which names are stored: of a batch of records, and of those before it as far as they are remembered.
struct NameNumbers {
    /// Where beacons are by the configuration, by the names of places; it goes before what gateways say.
    var rooms: [String: String]
    /// Those that the database was asked for, of the batch.
    private var places: [PlaceName: Int64] = [:]
    private var origins: [String: Int64] = [:]
    private var subjects: [SubjectIdentity: Int64] = [:]

    private var knownPlaces = GenerationalCache<PlaceName, Known>(capacity: 20_000)
    private var knownReceivers = GenerationalCache<ReceiverName, Known>(capacity: 20_000)
    private var knownOrigins = GenerationalCache<String, Known>(capacity: 20_000)
    /// As many as a table of 2^18 places holds before it grows: with both generations 17 MB.
    private var knownSubjects = GenerationalCache<SubjectDigest, Known>(capacity: 196_608)

    private struct Known {
        var number: Int64
        /// The day on which the database was last told that it is still there.
        var seen: Int64

        /// - Returns: `nil` when the database is to be told again: it may have forgotten what wasn't seen for long, and what
        ///   was seen on a day that hasn't come, by a clock that was ahead.
        func number(today: Int64) -> Int64? {
            (today - NameNumbers.renewal + 1...today).contains(seen) ? number : nil
        }
    }

    init(rooms: [String: String] = [:]) { self.rooms = rooms }

    /// The database is told that a name is still used every so many days.
    static let renewal: Int64 = 4

    /// Of a record.
    struct Numbers {
        var place: Int64
        var origin: Int64
        var subject: Int64
    }

    /// The numbers of all names of records, in their order. New names get theirs.
    ///
    /// - Parameter claims: says at which places receivers are that name a beacon.
    mutating func numbers(
        of records: [InteractionRecord], _ claims: inout PlaceClaims, today: Int64, _ session: any SQLSession
    ) throws -> [Numbers] {
        var numbers: [Numbers] = []
        numbers.reserveCapacity(records.count)
        var incomplete: [Int] = []
        var newPlaces = NewPlaces()
        var newOrigins: Set<String> = []
        var newSubjects: Set<SubjectIdentity> = []
        for (index, record) in records.enumerated() {
            let place = knownPlaces.value(for: record.place)?.number(today: today)
            let origin = knownOrigins.value(for: record.origin)?.number(today: today)
            let subject = knownSubjects.value(for: SubjectDigest(record.subject))?.number(today: today)
            numbers.append(Numbers(place: place ?? 0, origin: origin ?? 0, subject: subject ?? 0))
            if place != nil, origin != nil, subject != nil { continue }
            incomplete.append(index)
            if place == nil { newPlaces.add(record.place, start: record.start) }
            if origin == nil { newOrigins.insert(record.origin) }
            if subject == nil { newSubjects.insert(record.subject) }
        }
        (places, origins, subjects) = ([:], [:], [:])
        try insert(newPlaces, &claims, today: today, session)
        try insert(newOrigins, today: today, session)
        try insert(newSubjects, today: today, session)
        for index in incomplete {
            numbers[index].place = places[records[index].place] ?? numbers[index].place
            numbers[index].origin = origins[records[index].origin] ?? numbers[index].origin
            numbers[index].subject = subjects[records[index].subject] ?? numbers[index].subject
        }
        return numbers
    }

    /// The numbers of those whom a record of readings names.
    ///
    /// - Parameter claims: says at which places receivers are that name a beacon.
    /// - Returns: by place, by receiver and by subject.
    mutating func numbers(
        of records: [ReadingsRecord], _ claims: inout PlaceClaims, today: Int64, _ session: any SQLSession
    ) throws -> (receivers: [String: Int64], subjects: [SubjectIdentity: Int64]) {
        (places, origins, subjects) = ([:], [:], [:])
        var newPlaces = NewPlaces()
        var newReceivers: [String: PlaceName] = [:]
        var known: [SubjectIdentity: Int64] = [:]
        var receivers: [String: Int64] = [:]
        var new: Set<SubjectIdentity> = []
        for record in records {
            if let number = knownReceivers.value(for: ReceiverName(record))?.number(today: today) {
                receivers[record.receiver] = number
            } else {
                newPlaces.add(record.place, start: record.start)
                newReceivers[record.receiver] = record.place
            }
            for subject in record.subjects where known[subject.identity] == nil {
                let digest = SubjectDigest(subject.identity)
                if let number = knownSubjects.value(for: digest)?.number(today: today) {
                    known[subject.identity] = number
                } else {
                    new.insert(subject.identity)
                }
            }
        }
        try insert(newPlaces, &claims, today: today, session)
        try insert(new, today: today, session)
        let rows = newReceivers.sorted { $0.key < $1.key }.map { path, place -> [SQLValue] in
            [.text(path), .integer(places[place] ?? 0), .integer(today)]
        }
        try session.insert(StoreSchema.receiverInsertion, rows: rows) { row in
            guard let path = row.text(1), let place = newReceivers[path] else { return }
            receivers[path] = row.integer(0)
            knownReceivers.insert(
                Known(number: row.integer(0), seen: today), for: ReceiverName(path: path, place: place))
        }
        return (receivers, known.merging(subjects) { $1 })
    }

    /// A receiver at a place: one that was moved is told to the database again.
    private struct ReceiverName: Hashable {
        var path: String
        var place: PlaceName

        init(path: String, place: PlaceName) {
            self.path = path
            self.place = place
        }

        init(_ record: ReadingsRecord) { self.init(path: record.receiver, place: record.place) }

        func hash(into hasher: inout Hasher) { hasher.combine(path) }
    }

    /// Makes the numbers of subjects and origins known, for records whose places are.
    mutating func prepareSubjects(_ records: [InteractionRecord], today: Int64, _ session: any SQLSession) throws {
        (places, origins, subjects) = ([:], [:], [:])
        try insert(Set(records.map(\.origin)), today: today, session)
        try insert(Set(records.map(\.subject)), today: today, session)
    }

    // What `prepareSubjects` was given is known.
    func number(of origin: String) -> Int64 { origins[origin] ?? 0 }
    func number(of subject: SubjectIdentity) -> Int64 { subjects[subject] ?? 0 }

    private mutating func insert(_ new: Set<String>, today: Int64, _ session: any SQLSession) throws {
        // In one order everywhere, so that two processes don't wait for each other.
        let rows = new.sorted().map { [SQLValue.text($0), .integer(today)] }
        try session.insert(StoreSchema.originInsertion, rows: rows) { row in
            guard let path = row.text(1) else { return }
            origins[path] = row.integer(0)
            knownOrigins.insert(Known(number: row.integer(0), seen: today), for: path)
        }
    }

    private mutating func insert(
        _ new: NewPlaces, _ claims: inout PlaceClaims, today: Int64, _ session: any SQLSession
    ) throws {
        var keys: [PlaceName: String] = [:]
        var numbers: [String: Int64] = [:]
        // Those that name no beacon are nobody else's, and are written at once.
        var plain: [String: PlaceName] = [:]
        for (claimed, start) in new.byKey {
            let (place, isWritten) = try claims.place(claimed, start: start, session)
            keys[claimed] = place.key
            if !isWritten {
                // What others say of a place only shows that it is still there.
                numbers[place.key] = try session.first(
                    "UPDATE place SET seen = CASE WHEN seen < $2 THEN $2 ELSE seen END WHERE name = $1 RETURNING id",
                    [.text(place.key), .integer(today)]
                ) { $0.integer(0) }
            } else if place.beacon == nil {
                plain[place.key] = place
            } else {
                // Whoever names it next is compared with what is written.
                try write([place], today: today, session) { numbers[$0] = $1 }
            }
        }
        try write(plain.values.sorted { $0.key < $1.key }, today: today, session) { numbers[$0] = $1 }
        for (place, key) in keys {
            guard let number = numbers[key] else { continue }
            places[place] = number
            knownPlaces.insert(Known(number: number, seen: today), for: place)
        }
    }

    private func write(
        _ new: [PlaceName], today: Int64, _ session: any SQLSession, _ body: (String, Int64) -> Void
    ) throws {
        let rows = new.map { place -> [SQLValue] in
            [
                .text(place.key), .text(place.site), .text(place.building), .text(place.floor), .text(place.gateway),
                .text(rooms[place.key] ?? place.room), .text(place.beacon), .integer(today),
            ]
        }
        try session.insert(StoreSchema.placeInsertion, rows: rows) { row in
            if let key = row.text(1) { body(key, row.integer(0)) }
        }
    }

    /// Places that a batch names, and when that was first said of each.
    private struct NewPlaces {
        private var inOrder: [(place: PlaceName, start: Int64)] = []
        private var known: Set<PlaceName> = []

        /// In one order everywhere, so that two processes don't wait for each other. Of several things that are said of a place
        /// the last comes last.
        var byKey: [(place: PlaceName, start: Int64)] {
            inOrder.enumerated().sorted { ($0.element.place.key, $0.offset) < ($1.element.place.key, $1.offset) }
                .map(\.element)
        }

        mutating func add(_ place: PlaceName, start: Int64) {
            if known.insert(place).inserted { inOrder.append((place, start)) }
        }
    }

    private mutating func insert(_ asked: Set<SubjectIdentity>, today: Int64, _ session: any SQLSession) throws {
        var new = asked
        // Subjects are more than are remembered; reading costs much less than writing what is there already.
        try session.find(
            "id, kind, name, seen", in: "subject", where: "name", is: Set(asked.map(\.id)).sorted(), isLocking: false
        ) { row in
            guard let subject = SubjectIdentity(kind: row.text(1) ?? "", id: row.text(2) ?? ""),
                asked.contains(subject)
            else { return }
            let known = Known(number: row.integer(0), seen: row.integer(3))
            guard let number = known.number(today: today) else { return }
            subjects[subject] = number
            knownSubjects.insert(known, for: SubjectDigest(subject))
            new.remove(subject)
        }
        let rows = new.sorted().map { [SQLValue.text($0.kind), .text($0.id), .integer(today)] }
        try session.insert(StoreSchema.subjectInsertion, rows: rows) { row in
            guard let subject = SubjectIdentity(kind: row.text(1) ?? "", id: row.text(2) ?? "") else { return }
            subjects[subject] = row.integer(0)
            knownSubjects.insert(Known(number: row.integer(0), seen: today), for: SubjectDigest(subject))
        }
    }
}
