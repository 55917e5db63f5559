import Evidence
import Matching

/// The numbers that stand for names in the database: those of a batch of records, and those of earlier batches as far
/// as they are cached.
struct NameNumbers {
    /// Rooms from the configuration, by place name; they take precedence over what gateways report.
    var rooms: [String: String]
    /// Numbers of the current batch that were read from the database.
    var places: [PlaceName: Int64] = [:]
    private var origins: [String: Int64] = [:]
    private var subjects: [SubjectIdentity: Int64] = [:]

    var knownPlaces = GenerationalCache<PlaceName, Known>(capacity: 20_000)
    private var knownReceivers = GenerationalCache<ReceiverName, Known>(capacity: 20_000)
    private var knownOrigins = GenerationalCache<String, Known>(capacity: 20_000)
    /// Capacity of a hash table with 2^18 slots before it grows: 17 MB for both generations.
    private var knownSubjects = GenerationalCache<SubjectDigest, Known>(capacity: 196_608)

    /// Number of a cached name.
    struct Known {
        var number: Int64
        /// The day on which the name was last marked as seen in the database.
        var seen: Int64

        /// Returns the number if the entry is still current.
        ///
        /// - Returns: `nil` when the name must be marked as seen again. The database may have forgotten a name that was
        ///   not seen for long, or that was seen on a day in the future, by a clock that was ahead.
        func number(today: Int64) -> Int64? {
            (today - NameNumbers.renewal + 1...today).contains(seen) ? number : nil
        }
    }

    init(rooms: [String: String] = [:]) { self.rooms = rooms }

    /// Days after which a name that is still in use is marked as seen in the database again.
    static let renewal: Int64 = 4

    /// Names of a batch that the database does not have. Negative numbers stand for them until it is known which of
    /// their records are stored.
    struct NewNames {
        struct Place {
            var name: PlaceName
            /// The names that records give for the place.
            var claimed: [PlaceName]
        }

        var places: [Int64: Place] = [:]
        fileprivate var origins: [Int64: String] = [:]
        fileprivate var subjects: [Int64: SubjectIdentity] = [:]

        var isEmpty: Bool { places.isEmpty && origins.isEmpty && subjects.isEmpty }
    }

    /// The numbers of one record's names.
    struct Numbers {
        package var place: Int64
        var origin: Int64
        package var subject: Int64
    }

    /// Returns the numbers of all names of records, in the order of the records. Writes no new names to the database,
    /// except the beacons of places, of which a gateway has few.
    ///
    /// - Parameter claims: resolves the places of receivers that name a beacon.
    /// - Returns: also the names that negative numbers stand for, see `write`.
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

    /// Writes the new names of the records that are stored.
    ///
    /// - Parameter rows: the records that are stored.
    /// - Returns: the same rows with the names' numbers, in the order of their keys.
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

    /// Returns the numbers of the receivers and subjects that records of readings name.
    ///
    /// - Parameter claims: resolves the places of receivers that name a beacon.
    /// - Returns: the numbers by receiver and by subject, and the subjects that the database did not have.
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

    /// A receiver at a place: a receiver that was moved is written to the database again.
    private struct ReceiverName: Hashable {
        package var path: String
        var place: PlaceName

        init(path: String, place: PlaceName) {
            self.path = path
            self.place = place
        }

        init(_ record: ReadingsRecord) { self.init(path: record.receiver, place: record.place) }

        // Includes fields that the place's own hash leaves out: a gateway can name thousands of rooms.
        func hash(into hasher: inout Hasher) {
            hasher.combine(path)
            hasher.combine(place.room)
            hasher.combine(place.beacon)
        }
    }

    /// Makes the numbers of subjects and origins known, for records whose places already have numbers.
    mutating func prepareSubjects(_ records: [InteractionRecord], today: Int64, _ session: any SQLSession) throws {
        (places, origins, subjects) = ([:], [:], [:])
        try insert(Set(records.map(\.origin)), today: today, session)
        let new = try find(Set(records.map(\.subject)), today: today, session)
        try write(new, today: today, session)
    }

    // Valid for the names that were passed to `prepareSubjects`.
    func number(of origin: String) -> Int64 { origins[origin] ?? 0 }
    func number(of subject: SubjectIdentity) -> Int64 { subjects[subject] ?? 0 }

    private mutating func insert(_ new: Set<String>, today: Int64, _ session: any SQLSession) throws {
        // The same order everywhere, so that two processes do not deadlock.
        let rows = new.sorted().map { [SQLValue.text($0), .integer(today)] }
        try session.insert(StoreSchema.originInsertion, rows: rows) { row in
            guard let path = row.text(1) else { return }
            origins[path] = row.integer(0)
            knownOrigins.insert(Known(number: row.integer(0), seen: today), for: path)
        }
    }

    /// Finds the origins that the database has, and marks them as seen.
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

    /// Finds the subjects that the database has, and marks them as seen.
    ///
    /// - Returns: the subjects that it does not have.
    private mutating func find(
        _ asked: Set<SubjectIdentity>, today: Int64, _ session: any SQLSession
    ) throws -> Set<SubjectIdentity> {
        var missing = asked
        var old: Set<SubjectIdentity> = []
        // There are more subjects than the cache holds; reading a row costs much less than writing one that is already
        // there.
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
