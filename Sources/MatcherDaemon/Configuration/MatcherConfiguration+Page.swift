import OperatorText
import SignIn

extension MatcherConfiguration {
    private static let mostLecturers = 10_000

    /// Reads the table `page`, and the tables `login`, `roles` and `lecturers`.
    static func readPage(
        _ root: TOMLReader, secrets: SecretAccess, readFile: (String) throws -> [UInt8]
    ) -> PageSettings? {
        let courses = readLecturers(root)
        guard let reader = root.table("page") else {
            _ = readLogin(root, address: nil, secrets: secrets, readFile: readFile)
            for table in ["login", "lecturers"] where root.has(table) {
                root.report(table, found: "is given without [page]", allowed: "needs a table [page]")
            }
            return nil
        }
        defer { reader.finish() }
        if !root.has("api") {
            root.report("page", found: "is given without [api]", allowed: "needs [api] with listen, where it is served")
        }
        if !reader.has("base-url") { reader.missing("base-url", allowed: PublicAddress.form) }
        let address = reader.parsed("base-url", allowed: PublicAddress.form) { PublicAddress($0) }
        let login = readLogin(root, address: address, secrets: secrets, readFile: readFile)
        return address.map {
            PageSettings(address: $0, login: login.client, sessions: login.sessions, courses: courses)
        }
    }

    private static func readLecturers(_ root: TOMLReader) -> [String: Set<String>] {
        let readers = root.tables("lecturers")
        if readers.count > mostLecturers {
            root.report(
                "lecturers", found: "has \(readers.count) entries", allowed: "must have at most \(mostLecturers)")
        }
        var courses: [String: Set<String>] = [:]
        for reader in readers.prefix(mostLecturers) {
            defer { reader.finish() }
            let form = "1 to 255 characters: the number or the identifier (sub) of an account"
            if !reader.has("account") { reader.missing("account", allowed: form) }
            if !reader.has("courses") { reader.missing("courses", allowed: "a list of courses, as in the roster") }
            let account = reader.parsed("account", allowed: form) { (1...255).contains($0.utf8.count) ? $0 : nil }
            let names = reader.strings("courses") ?? []
            guard let account else { continue }
            courses[account, default: []].formUnion(names)
        }
        return courses
    }
}
