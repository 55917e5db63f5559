extension StoreSchema {
    /// Statement for the table of files that were uploaded on the page. `name`: of a timetable its name, of a roster
    /// the key of its course, of a list of people that waits the hash of its session. `at`: seconds since 1970.
    static let uploads = """
        CREATE TABLE uploaded_file (kind TEXT NOT NULL, name TEXT NOT NULL, content TEXT NOT NULL, \
        by_whom TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (kind, name))
        """
}
