import Glibc
import Matching

// Overwriting of what was erased, and the search for it in the database's files.
extension InteractionStore {
    /// Searches the files for a subject, and counts places with its name.
    func searchFiles(for subject: SubjectIdentity, _ erasure: inout Erasure) throws {
        var names: [String] = []
        try database.read { session in
            erasure.places = try session.count(
                "SELECT (SELECT count(*) FROM place WHERE name = $1 OR beacon = $1) "
                    + "+ (SELECT count(*) FROM place_claim WHERE beacon = $1)", [.text(subject.id)])
            guard database is SQLiteDatabase else { return }
            // Longer names that contain this one: beacon 10 always contains a 1.
            names =
                subject.kind == SubjectIdentity.badge
                ? try session.badges(beginningWith: subject.id) : try session.longerNames(than: subject)
        }
        if files.isEmpty { return }
        let searches = Self.forms(of: subject).map { form in
            ByteSearch(
                for: Array(form.text.utf8), notIn: names.flatMap { form.around($0) + [$0] }.map { Array($0.utf8) })
        }
        for path in files {
            var isReadable = false
            var isFound = false
            for search in searches {
                guard let isThere = isThere(path, search) else { break }
                isReadable = true
                isFound = isFound || isThere
            }
            // If there is no write-ahead log, there is nothing to search.
            if !isReadable, access(path, F_OK) != 0, errno == ENOENT { continue }
            erasure.searchedFiles.append(path)
            // An unreadable file may contain the name.
            if isFound || !isReadable { erasure.foundIn.append(path) }
        }
        if !erasure.foundIn.isEmpty {
            erasure.foundInTables = try database.read { try $0.tables(with: subject.id, searches) }
        }
    }

    /// A text that represents a subject in the bytes of a file.
    private struct SearchedForm {
        var text: String
        /// Returns how a longer name would be represented.
        var around: (String) -> [String]
    }

    /// Returns the texts to search for. An ID that looks random never occurs by chance. A word is searched beside its
    /// kind: tables and their indexes store the two next to each other.
    private static func forms(of subject: SubjectIdentity) -> [SearchedForm] {
        if subject.isNamedByIDAlone { return [SearchedForm(text: subject.id) { [$0] }] }
        return [
            SearchedForm(text: subject.kind + subject.id) { [subject.kind + $0] },
            SearchedForm(text: subject.id + subject.kind) { [$0 + subject.kind] },
            SearchedForm(text: subject.description) { ["\(subject.kind):\($0)"] },
        ]
    }

    /// Columns with names: of subjects, people, places and gateways.
    fileprivate static let namedColumns = [
        ("subject", "name"), ("place", "name"), ("place", "gateway"), ("place", "room"), ("place", "beacon"),
        ("origin", "path"), ("gateway", "path"), ("report_subject", "name"), ("exposure", "name"), ("notice", "name"),
        ("code_commitment", "phone"), ("place_claim", "beacon"), ("place_claim", "receiver"),
        ("revoked_gateway", "path"), ("survey_spot", "badge"),
        ("person_subject", "name"), ("person", "number"), ("person", "name"), ("person", "contact"),
        ("questionnaire", "number"), ("submitted_result", "name"), ("submitted_result", "number"),
        ("submitted_result", "contact"), ("submitted_result", "order_number"),
    ]

    /// Tables from which rows or names are deleted with a subject, beside those that name students.
    private static let subjectTables =
        [
            "subject", "report_subject", "report", "exposure", "notice", "positive", "code_commitment", "place",
            "place_claim", "phone_proof", "reading", "vectors", "company", "located_stay", "subject_power",
            "survey_spot", "survey_signal", "person", "person_subject", "person_word", "uploaded_file",
            "questionnaire", "mail", "mail_wish", "submitted_result", "submitted_picture",
            "enrolment",
        ] + FreeText.all.filter(\.isCleaned).map(\.table)

    /// A part of the removal of what a database keeps of deleted rows. Others can use the store between two parts.
    package struct TraceStep: Sendable {
        fileprivate var tables: [String]
    }

    /// All parts after subjects were erased, however many they are.
    package var traceSteps: [TraceStep] {
        let tables = Self.subjectTables + StoreSchema.studentTables.filter { !Self.subjectTables.contains($0) }
        return database is SQLiteDatabase ? [TraceStep(tables: tables)] : tables.map { TraceStep(tables: [$0]) }
    }

    /// Carries out a part.
    ///
    /// - Throws: `StoreError`.
    package func removeTraces(_ step: TraceStep) throws { try removeTraces(of: step.tables) }

    /// Removes what a database keeps of deleted rows.
    ///
    /// - Parameter tables: tables from which rows were deleted.
    func removeTraces(of tables: [String]) throws {
        if database is SQLiteDatabase {
            // Deleted content in pages is already overwritten; the log still has the old pages.
            try database.maintain("PRAGMA wal_checkpoint(TRUNCATE)")
        } else {
            for table in tables { try database.maintain("VACUUM FULL \(table)") }
        }
    }

    private var files: [String] {
        guard let database = database as? SQLiteDatabase else { return [] }
        return ["", "-wal"].map { database.path + $0 }
    }

    /// Whether a file contains the searched text; `nil` when the file cannot be read.
    private func isThere(_ path: String, _ search: ByteSearch) -> Bool? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        (database as? SQLiteDatabase)?.closeLater(descriptor)
        var search = search
        var part = [UInt8](repeating: 0, count: 1_048_576)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0 { return nil }
            if count == 0 { search.finish() } else { search.take(part[..<count]) }
            if count == 0 || search.isFound { return search.isFound }
        }
    }
}

extension SQLSession {
    /// Returns known names that contain the ID of a subject and are others. Names with white space are not the names of
    /// anything else: the ID is a word of them.
    func longerNames(than subject: SubjectIdentity) throws -> [String] {
        if subject.kind == SubjectIdentity.badge { return [] }
        var names: Set<String> = []
        for (table, column) in InteractionStore.namedColumns {
            try query(
                "SELECT DISTINCT \(column) FROM \(table) WHERE lower(\(column)) LIKE CAST($1 AS TEXT) ESCAPE '\\'",
                [.text(SQLPattern.containing(subject.id))]
            ) { row in
                if let name = row.text(0) { names.insert(name) }
            }
        }
        names.formUnion(try uploadedNames(containing: subject.id))
        let own = [subject.id.lowercased(), subject.description.lowercased()]
        return names.filter { !own.contains($0.lowercased()) && !$0.contains(where: \.isWhitespace) }.sorted()
    }

    /// Returns the badges in texts whose names begin with that of a badge: only the digits that follow make them
    /// others. For SQLite alone.
    fileprivate func badges(beginningWith id: String) throws -> [String] {
        let name = Array(id.utf8)
        var longer: Set<[UInt8]> = []
        for (table, column) in try textColumns() {
            try query(
                "SELECT DISTINCT \"\(column)\" FROM \"\(table)\" WHERE instr(\"\(column)\", $1) > 0", [.text(id)],
                keepsStatement: false
            ) { row in
                let text = Array((row.text(0) ?? "").utf8)
                for start in NamesInText.positions(of: name, in: text) {
                    let digits = text[(start + name.count)...].prefix(while: NamesInText.isDigit)
                    if !digits.isEmpty { longer.insert(name + digits) }
                }
            }
        }
        return longer.map { String(decoding: $0, as: UTF8.self) }.sorted()
    }

    private func textColumns() throws -> [(table: String, column: String)] {
        var columns: [(table: String, column: String)] = []
        try query(
            "SELECT t.name, c.name FROM sqlite_master t JOIN pragma_table_info(t.name) c "
                + "WHERE t.type = 'table' AND c.type LIKE '%TEXT%' ORDER BY t.name, c.cid"
        ) { row in
            if let table = row.text(0), let column = row.text(1) { columns.append((table, column)) }
        }
        return columns
    }

    /// Returns the tables with texts in which any of some searches succeeds. For SQLite alone.
    ///
    /// - Parameter id: a text that all that is searched for contains.
    fileprivate func tables(with id: String, _ searches: [ByteSearch]) throws -> [String] {
        var tables: [String] = []
        for (table, column) in try textColumns() where tables.last != table {
            var isFound = false
            try query(
                "SELECT DISTINCT \"\(column)\" FROM \"\(table)\" WHERE instr(\"\(column)\", $1) > 0", [.text(id)],
                keepsStatement: false
            ) { row in
                if isFound { return }
                isFound = searches.contains { search in
                    var search = search
                    search.take((row.text(0) ?? "").utf8)
                    search.finish()
                    return search.isFound
                }
            }
            if isFound { tables.append(table) }
        }
        return tables
    }
}
