package import Matching
package import People

extension InteractionStore {
    /// The stored data about a subject, in numbers.
    package struct Holdings: Equatable, Sendable {
        package var interactions: Int
        /// Minutes in which receivers heard the subject, from settled readings.
        package var minutes = 0
        /// Located stays.
        package var stays = 0
        /// Period from the first to the last interaction, in seconds since 1970.
        package var times: ClosedRange<Int64>?
        /// Spots of surveys at which the badge was carried.
        package var surveySpots = 0
        /// Reports that name the subject as positive.
        package var reports: Int
        /// Exposures of the subject.
        package var exposures: Int
        /// Other subjects whose exposures follow from these reports, alone or among others.
        package var exposedOthers: Int
        /// Rows of attendance that name a student by the subject's name.
        package var attendance: Int
        /// The person to whom the subject belongs by the register.
        package var person: Person?

        package var isEmpty: Bool {
            interactions + minutes + stays + surveySpots + reports + exposures + attendance == 0 && person == nil
        }
    }

    /// Returns the amounts of stored data about a subject.
    ///
    /// - Throws: `StoreError`.
    package func holdings(of subject: SubjectIdentity) throws -> Holdings {
        let number = try numbers(of: [subject])[subject]
        return try database.read { session in
            let name: [SQLValue] = [.text(subject.id), .text(subject.kind)]
            var holdings = Holdings(
                interactions: 0, times: nil,
                reports: try session.reportCount(of: subject),
                exposures: try session.count("SELECT count(*) FROM exposure WHERE name = $1 AND kind = $2", name),
                exposedOthers: 0, attendance: 0)
            if holdings.reports > 0 {
                holdings.exposedOthers = try session.count(
                    "SELECT count(*) FROM (SELECT DISTINCT kind, name FROM exposure WHERE report IN "
                        + "(SELECT report FROM report_subject WHERE name = $1 AND kind = $2)) AS exposed", name)
            }
            for table in StoreSchema.studentTables {
                holdings.attendance += try session.count(
                    "SELECT count(*) FROM \(table) WHERE lower(student) IN (lower($1), lower($2))",
                    [.text(subject.id), .text(subject.description)])
            }
            if subject.kind == SubjectIdentity.badge {
                holdings.surveySpots = try session.count(
                    "SELECT count(*) FROM survey_spot WHERE badge = $1", [.text(subject.id)])
            }
            holdings.person = try session.people(of: [subject])[subject]
            guard let number else { return holdings }
            holdings.minutes = try session.readingRows(of: number, in: "vectors").reduce(0) {
                $0 + (BlockVectors(packed: $1.content)?.heardMinutes ?? 0)
            }
            holdings.stays = try session.count(
                "SELECT count(*) FROM located_stay WHERE subject = $1", [.integer(number)])
            try session.query(
                "SELECT count(*), min(i.started), max(i.ended) FROM interaction i "
                    + "WHERE \(StoreSchema.isOfSubject("i", "$1", session.dialect))", [.integer(number)]
            ) { row in
                holdings.interactions = Int(row.integer(0))
                if holdings.interactions > 0 {
                    holdings.times = row.integer(1)...max(row.integer(1), row.integer(2))
                }
            }
            return holdings
        }
    }
}
