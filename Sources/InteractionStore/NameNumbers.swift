import Matching

/// The numbers by which names are stored: of a batch of records, and of those before it as far as they are remembered.
struct NameNumbers {
    /// Of the batch.
    private var places: [PlaceName: Int64] = [:]
    private var origins: [String: Int64] = [:]
    private var subjects: [SubjectIdentity: Int64] = [:]

    private var knownPlaces = GenerationalCache<PlaceName, Known>(capacity: 20_000)
    private var knownOrigins = GenerationalCache<String, Known>(capacity: 20_000)
    private var knownSubjects = GenerationalCache<SubjectIdentity, Known>(capacity: 150_000)

    private struct Known {
        var number: Int64
        /// The day on which the database was last told that it is still there.
        var seen: Int64

        /// - Returns: `nil` when the database is to be told again: it may have forgotten what wasn't seen for long.
        func number(today: Int64) -> Int64? { seen > today - NameNumbers.renewal ? number : nil }
    }

    /// The database is told that a name is still used every so many days.
    static let renewal: Int64 = 4

    /// Makes the numbers of all names known. New names get theirs.
    mutating func prepare(_ records: [InteractionRecord], today: Int64, _ session: any SQLSession) throws {
        (places, origins, subjects) = ([:], [:], [:])
        var newPlaces: [String: PlaceName] = [:]
        var newOrigins: Set<String> = []
        var newSubjects: Set<SubjectIdentity> = []
        for record in records {
            if places[record.place] == nil {
                places[record.place] = knownPlaces.value(for: record.place)?.number(today: today)
                // Of several things that are said of a place in one batch the last counts.
                if places[record.place] == nil { newPlaces[record.place.key] = record.place }
            }
            if origins[record.origin] == nil {
                origins[record.origin] = knownOrigins.value(for: record.origin)?.number(today: today)
                if origins[record.origin] == nil { newOrigins.insert(record.origin) }
            }
            if subjects[record.subject] == nil {
                subjects[record.subject] = knownSubjects.value(for: record.subject)?.number(today: today)
                if subjects[record.subject] == nil { newSubjects.insert(record.subject) }
            }
        }
        try preparePlaces(newPlaces, today: today, session)
        try insertOrigins(newOrigins, today: today, session)
        try insert(newSubjects, today: today, session)
        // Other things may have been said of the same place.
        for record in records where places[record.place] == nil {
            places[record.place] = newPlaces[record.place.key].flatMap { places[$0] }
        }
    }

    /// Makes the numbers of subjects and origins known, for records whose places are.
    mutating func prepareSubjects(_ records: [InteractionRecord], today: Int64, _ session: any SQLSession) throws {
        (places, origins, subjects) = ([:], [:], [:])
        try insertOrigins(Set(records.map(\.origin)), today: today, session)
        try insert(Set(records.map(\.subject)), today: today, session)
    }

    // What `prepare` was given is known.
    func number(of place: PlaceName) -> Int64 { places[place] ?? 0 }
    func number(of origin: String) -> Int64 { origins[origin] ?? 0 }
    func number(of subject: SubjectIdentity) -> Int64 { subjects[subject] ?? 0 }

    private mutating func insertOrigins(_ new: Set<String>, today: Int64, _ session: any SQLSession) throws {
        // In one order everywhere, so that two processes don't wait for each other.
        let rows = new.sorted().map { [SQLValue.text($0), .integer(today)] }
        try session.insert(StoreSchema.originInsertion, rows: rows) { row in
            guard let path = row.text(1) else { return }
            origins[path] = row.integer(0)
            knownOrigins.insert(Known(number: row.integer(0), seen: today), for: path)
        }
    }

    private mutating func preparePlaces(
        _ new: [String: PlaceName], today: Int64, _ session: any SQLSession
    ) throws {
        let rows = new.values.sorted { $0.key < $1.key }.map { place -> [SQLValue] in
            [
                .text(place.key), .text(place.site), .text(place.building), .text(place.floor), .text(place.gateway),
                .text(place.room), .text(place.beacon), .integer(today),
            ]
        }
        try session.insert(StoreSchema.placeInsertion, rows: rows) { row in
            guard let place = row.text(1).flatMap({ new[$0] }) else { return }
            places[place] = row.integer(0)
            knownPlaces.insert(Known(number: row.integer(0), seen: today), for: place)
        }
    }

    private mutating func insert(_ new: Set<SubjectIdentity>, today: Int64, _ session: any SQLSession) throws {
        let rows = new.sorted().map { [SQLValue.text($0.kind), .text($0.id), .integer(today)] }
        try session.insert(StoreSchema.subjectInsertion, rows: rows) { row in
            guard let subject = SubjectIdentity(kind: row.text(1) ?? "", id: row.text(2) ?? "") else { return }
            subjects[subject] = row.integer(0)
            knownSubjects.insert(Known(number: row.integer(0), seen: today), for: subject)
        }
    }
}
