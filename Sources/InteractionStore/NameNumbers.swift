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

    /// Names of a batch that the database doesn't have. Numbers below 0 stand for them, until it is known which of their records
    /// are stored.
    struct NewNames {
        fileprivate struct Place {
            var name: PlaceName
            /// What records say of it.
            var claimed: [PlaceName]
        }

        fileprivate var places: [Int64: Place] = [:]
        fileprivate var origins: [Int64: String] = [:]
        fileprivate var subjects: [Int64: SubjectIdentity] = [:]

        var isEmpty: Bool { places.isEmpty && origins.isEmpty && subjects.isEmpty }
    }

    /// Of a record.
    struct Numbers {
        var place: Int64
        var origin: Int64
        var subject: Int64
    }

    /// The numbers of all names of records, in their order. Nothing is written that the database doesn't have, but for beacons
    /// of places, of which a gateway has few.
    ///
    /// - Parameter claims: says at which places receivers are that name a beacon.
    /// - Returns: also the names for which numbers below 0 stand, see `write`.
    mutating func numbers(
        of records: [InteractionRecord], _ claims: inout PlaceClaims, today: Int64, _ session: any SQLSession
    ) throws -> (numbers: [Numbers], new: NewNames) {
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
        var new = NewNames()
        try find(newPlaces, &claims, &new, today: today, session)
        try find(newOrigins, &new, today: today, session)
        for subject in try find(newSubjects, today: today, session).sorted() {
            let number = -1 - Int64(new.subjects.count)
            new.subjects[number] = subject
            subjects[subject] = number
        }
        for index in incomplete {
            numbers[index].place = places[records[index].place] ?? numbers[index].place
            numbers[index].origin = origins[records[index].origin] ?? numbers[index].origin
            numbers[index].subject = subjects[records[index].subject] ?? numbers[index].subject
        }
        return (numbers, new)
    }

    /// Writes the new names of records that are stored.
    ///
    /// - Parameter rows: those that are.
    /// - Returns: the same with the names' numbers, in the order of their keys.
    mutating func write(
        _ new: NewNames, of rows: [RecordSelection.Candidate], today: Int64, _ session: any SQLSession
    ) throws -> [RecordSelection.Candidate] {
        if new.isEmpty || rows.isEmpty { return rows }
        (places, origins, subjects) = ([:], [:], [:])
        let newPlaces = Set(rows.map(\.key.place)).compactMap { new.places[$0] }
        let newOrigins = Set(Set(rows.map(\.key.origin)).compactMap { new.origins[$0] })
        let newSubjects = Set(Set(rows.map(\.subject)).compactMap { new.subjects[$0] })
        try write(newPlaces, today: today, session)
        try insert(newOrigins, today: today, session)
        try write(newSubjects, today: today, session)
        let numbered = rows.map { row -> RecordSelection.Candidate in
            var row = row
            if let place = new.places[row.key.place], let claimed = place.claimed.first {
                row.key.place = places[claimed] ?? row.key.place
            }
            if let origin = new.origins[row.key.origin] { row.key.origin = origins[origin] ?? row.key.origin }
            if let subject = new.subjects[row.subject] { row.subject = subjects[subject] ?? row.subject }
            return row
        }
        return numbered.sorted { $0.key < $1.key }
    }

    /// The numbers of those whom a record of readings names.
    ///
    /// - Parameter claims: says at which places receivers are that name a beacon.
    /// - Returns: by receiver and by subject, and those subjects that the database didn't have.
    mutating func numbers(
        of records: [ReadingsRecord], _ claims: inout PlaceClaims, today: Int64, _ session: any SQLSession
    ) throws -> (
        receivers: [String: Int64], subjects: [SubjectIdentity: Int64], newSubjects: Set<SubjectIdentity>
    ) {
        (places, origins, subjects) = ([:], [:], [:])
        var newPlaces = NewPlaces()
        var newReceivers: [String: PlaceName] = [:]
        var known: [SubjectIdentity: Int64] = [:]
        var receivers: [String: Int64] = [:]
        var unknown: Set<SubjectIdentity> = []
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
                    unknown.insert(subject.identity)
                }
            }
        }
        var new = NewNames()
        try find(newPlaces, &claims, &new, today: today, session)
        try write(Array(new.places.values), today: today, session)
        let newSubjects = try find(unknown, today: today, session)
        try write(newSubjects, today: today, session)
        let rows = newReceivers.sorted { $0.key < $1.key }.map { path, place -> [SQLValue] in
            [.text(path), .integer(places[place] ?? 0), .integer(today)]
        }
        try session.insert(StoreSchema.receiverInsertion, rows: rows) { row in
            guard let path = row.text(1), let place = newReceivers[path] else { return }
            receivers[path] = row.integer(0)
            knownReceivers.insert(
                Known(number: row.integer(0), seen: today), for: ReceiverName(path: path, place: place))
        }
        return (receivers, known.merging(subjects) { $1 }, newSubjects)
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

        // Also what the place's own leaves out: a gateway may name thousands of rooms.
        func hash(into hasher: inout Hasher) {
            hasher.combine(path)
            hasher.combine(place.room)
            hasher.combine(place.beacon)
        }
    }

    /// Makes the numbers of subjects and origins known, for records whose places are.
    mutating func prepareSubjects(_ records: [InteractionRecord], today: Int64, _ session: any SQLSession) throws {
        (places, origins, subjects) = ([:], [:], [:])
        try insert(Set(records.map(\.origin)), today: today, session)
        let new = try find(Set(records.map(\.subject)), today: today, session)
        try write(new, today: today, session)
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

    /// Finds origins that the database has, and tells it that they are still there.
    private mutating func find(
        _ asked: Set<String>, _ new: inout NewNames, today: Int64, _ session: any SQLSession
    ) throws {
        var missing = asked
        var old: Set<String> = []
        try session.find(
            "id, path, seen", in: "origin", where: "path", is: asked.sorted(), isLocking: false
        ) { row in
            guard let path = row.text(1) else { return }
            missing.remove(path)
            let known = Known(number: row.integer(0), seen: row.integer(2))
            if let number = known.number(today: today) {
                origins[path] = number
                knownOrigins.insert(known, for: path)
            } else {
                old.insert(path)
            }
        }
        try insert(old, today: today, session)
        for path in missing.sorted() {
            let number = -1 - Int64(new.origins.count)
            new.origins[number] = path
            origins[path] = number
        }
    }

    /// Finds places that the database has, and writes what is said of them; also those that have a beacon.
    private mutating func find(
        _ named: NewPlaces, _ claims: inout PlaceClaims, _ new: inout NewNames, today: Int64, _ session: any SQLSession
    ) throws {
        var claimed: [String: [PlaceName]] = [:]
        var numbers: [String: Int64] = [:]
        // Those that name no beacon are nobody else's, and are written at once.
        var plain: [String: PlaceName] = [:]
        for (name, start) in named.byKey {
            let (place, isWritten) = try claims.place(name, start: start, session)
            claimed[place.key, default: []].append(name)
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
        var missing = plain
        try session.find("name", in: "place", where: "name", is: plain.keys.sorted(), isLocking: false) { row in
            if let key = row.text(0) { missing[key] = nil }
        }
        let old = plain.filter { missing[$0.key] == nil }.values.sorted { $0.key < $1.key }
        try write(old, today: today, session) { numbers[$0] = $1 }
        for (key, number) in numbers { know(claimed[key] ?? [], number, today: today) }
        for (key, place) in missing.sorted(by: { $0.key < $1.key }) {
            let number = -1 - Int64(new.places.count)
            let names = claimed[key] ?? []
            new.places[number] = NewNames.Place(name: place, claimed: names)
            for name in names { places[name] = number }
        }
    }

    private mutating func write(_ new: [NewNames.Place], today: Int64, _ session: any SQLSession) throws {
        var numbers: [String: Int64] = [:]
        try write(new.map(\.name).sorted { $0.key < $1.key }, today: today, session) { numbers[$0] = $1 }
        for place in new {
            if let number = numbers[place.name.key] { know(place.claimed, number, today: today) }
        }
    }

    /// What records say of a place leads to its number.
    private mutating func know(_ claimed: [PlaceName], _ number: Int64, today: Int64) {
        for name in claimed {
            places[name] = number
            knownPlaces.insert(Known(number: number, seen: today), for: name)
        }
    }

    private func write(
        _ new: [PlaceName], today: Int64, _ session: any SQLSession, _ body: (String, Int64) -> Void
    ) throws {
        if new.isEmpty { return }
        let named = try session.first("SELECT COALESCE(max(named), 0) + 1 FROM place") { $0.integer(0) }
        for place in new where place.beacon != nil {
            // What was heard on another floor stays there: the beacon was moved, or somebody else has it now.
            try session.execute(
                "UPDATE place SET name = gateway || '#' || id, beacon = NULL WHERE name = $1 AND site <> '' "
                    + "AND NOT (site = $2 AND building = $3 AND floor = $4)",
                [.text(place.key), .text(place.site), .text(place.building), .text(place.floor)])
        }
        let rows = new.map { place -> [SQLValue] in
            [
                .text(place.key), .text(place.site), .text(place.building), .text(place.floor), .text(place.gateway),
                .text(rooms[place.key] ?? place.room), .text(place.beacon), .integer(today),
                .integer(named ?? 1),
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

    /// Finds subjects that the database has, and tells it that they are still there.
    ///
    /// - Returns: those that it doesn't have.
    private mutating func find(
        _ asked: Set<SubjectIdentity>, today: Int64, _ session: any SQLSession
    ) throws -> Set<SubjectIdentity> {
        var missing = asked
        var old: Set<SubjectIdentity> = []
        // Subjects are more than are remembered; reading costs much less than writing what is there already.
        try session.find(
            "id, kind, name, seen", in: "subject", where: "name", is: Set(asked.map(\.id)).sorted(), isLocking: false
        ) { row in
            guard let subject = SubjectIdentity(kind: row.text(1) ?? "", id: row.text(2) ?? ""),
                asked.contains(subject)
            else { return }
            missing.remove(subject)
            let known = Known(number: row.integer(0), seen: row.integer(3))
            if let number = known.number(today: today) {
                subjects[subject] = number
                knownSubjects.insert(known, for: SubjectDigest(subject))
            } else {
                old.insert(subject)
            }
        }
        try write(old, today: today, session)
        return missing
    }

    private mutating func write(_ new: Set<SubjectIdentity>, today: Int64, _ session: any SQLSession) throws {
        let rows = new.sorted().map { [SQLValue.text($0.kind), .text($0.id), .integer(today)] }
        try session.insert(StoreSchema.subjectInsertion, rows: rows) { row in
            guard let subject = SubjectIdentity(kind: row.text(1) ?? "", id: row.text(2) ?? "") else { return }
            subjects[subject] = row.integer(0)
            knownSubjects.insert(Known(number: row.integer(0), seen: today), for: SubjectDigest(subject))
        }
    }
}
