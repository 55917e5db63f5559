import Matching

/// The numbers by which names are stored: of a batch of records, and of those before it as far as they are remembered.
struct NameNumbers {
    /// Of the batch.
    private var places: [PlaceName: Int64] = [:]
    private var origins: [String: Int64] = [:]
    private var subjects: [SubjectIdentity: Int64] = [:]

    private var knownPlaces = GenerationalCache<PlaceName, Int64>(capacity: 20_000)
    private var knownOrigins = GenerationalCache<String, Int64>(capacity: 20_000)
    private var knownSubjects = GenerationalCache<SubjectIdentity, Subject>(capacity: 150_000)

    private struct Subject {
        var number: Int64
        /// The day on which the database was last told that the subject is still there.
        var seen: Int64
    }

    /// The database is told that a subject is still there every so many days.
    static let renewal: Int64 = 4

    /// Makes the numbers of all names known. New names get theirs.
    mutating func prepare(_ records: [InteractionRecord], today: Int64, _ session: any SQLSession) throws {
        (places, origins, subjects) = ([:], [:], [:])
        var newPlaces: [String: PlaceName] = [:]
        var newOrigins: Set<String> = []
        var newSubjects: Set<SubjectIdentity> = []
        for record in records {
            if places[record.place] == nil {
                places[record.place] = knownPlaces.value(for: record.place)
                // Of several things that are said of a place in one batch the last counts.
                if places[record.place] == nil { newPlaces[record.place.key] = record.place }
            }
            if origins[record.origin] == nil {
                origins[record.origin] = knownOrigins.value(for: record.origin)
                if origins[record.origin] == nil { newOrigins.insert(record.origin) }
            }
            if subjects[record.subject] == nil {
                let known = knownSubjects.value(for: record.subject)
                if let known, known.seen > today - Self.renewal {
                    subjects[record.subject] = known.number
                } else {
                    newSubjects.insert(record.subject)
                }
            }
        }
        try preparePlaces(newPlaces, today: today, session)
        // In one order everywhere, so that two processes don't wait for each other.
        try session.insert(StoreSchema.originInsertion, rows: newOrigins.sorted().map { [.text($0)] }) { row in
            guard let path = row.text(1) else { return }
            origins[path] = row.integer(0)
            knownOrigins.insert(row.integer(0), for: path)
        }
        try insert(newSubjects, isFixed: false, today: today, session)
        // Other things may have been said of the same place.
        for record in records where places[record.place] == nil {
            places[record.place] = newPlaces[record.place.key].flatMap { places[$0] }
        }
    }

    // What `prepare` was given is known.
    func number(of place: PlaceName) -> Int64 { places[place] ?? 0 }
    func number(of origin: String) -> Int64 { origins[origin] ?? 0 }
    func number(of subject: SubjectIdentity) -> Int64 { subjects[subject] ?? 0 }

    private mutating func preparePlaces(
        _ new: [String: PlaceName], today: Int64, _ session: any SQLSession
    ) throws {
        let rows = new.values.sorted { $0.key < $1.key }.map { place -> [SQLValue] in
            [
                .text(place.key), .text(place.site), .text(place.building), .text(place.floor), .text(place.gateway),
                .text(place.room), .text(place.beacon),
            ]
        }
        try session.insert(StoreSchema.placeInsertion, rows: rows) { row in
            guard let place = row.text(1).flatMap({ new[$0] }) else { return }
            places[place] = row.integer(0)
            knownPlaces.insert(row.integer(0), for: place)
        }
        // What hangs there isn't carried.
        let beacons = new.values.compactMap { place in
            place.beacon.flatMap { SubjectIdentity(kind: SubjectIdentity.badge, id: $0) }
        }
        try insert(Set(beacons), isFixed: true, today: today, session)
    }

    private mutating func insert(
        _ new: Set<SubjectIdentity>, isFixed: Bool, today: Int64, _ session: any SQLSession
    ) throws {
        let rows = new.sorted().map { subject -> [SQLValue] in
            [.text(subject.kind), .text(subject.id), .integer(isFixed ? 1 : 0), .integer(today)]
        }
        try session.insert(StoreSchema.subjectInsertion, rows: rows) { row in
            guard let subject = SubjectIdentity(kind: row.text(1) ?? "", id: row.text(2) ?? "") else { return }
            subjects[subject] = row.integer(0)
            knownSubjects.insert(Subject(number: row.integer(0), seen: today), for: subject)
        }
    }
}
