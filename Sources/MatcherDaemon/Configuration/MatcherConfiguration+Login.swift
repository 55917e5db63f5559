import OperatorText
import RecordContract
import SignIn

extension MatcherConfiguration {
    private static let mostRoles = 64

    /// Reads the tables `login` and `roles`: this program as a client of the identity provider, and limits of sessions.
    static func readLogin(
        _ root: TOMLReader, address: PublicAddress?, secrets: SecretAccess, readFile: (String) throws -> [UInt8]
    ) -> (client: ClientSettings?, sessions: SessionPolicy) {
        let (rules, sessions) = readRoles(root)
        guard let reader = root.table("login") else {
            if root.has("roles") {
                root.report("roles", found: "is given without [login]", allowed: "needs a table [login]")
            }
            return (nil, sessions)
        }
        defer { reader.finish() }
        let issuerForm = "the issuer as the provider writes it: https://HOST/PATH; http only on this machine"
        let text = "1 to 255 characters"
        for (key, form) in [
            ("issuer", issuerForm), ("client-id", text),
            ("client-secret-file", "a file whose first line is the secret that the provider gave this client"),
        ] where !reader.has(key) { reader.missing(key, allowed: form) }
        if rules.isEmpty, !root.has("roles") {
            root.missing("roles", allowed: "who is what: [[roles]] role = \"officer\", value = \"health-officers\"")
        }
        let issuer = reader.parsed("issuer", allowed: issuerForm) { Endpoint($0)?.isIssuer == true ? $0 : nil }
        let isName = { (name: String) in (1...255).contains(name.utf8.count) ? name : nil }
        let clientID = reader.parsed("client-id", allowed: text, isName)
        let secret = reader.string("client-secret-file").flatMap {
            secrets.firstLine(
                reader, "client-secret-file", $0, for: .answers,
                secret: "the secret that the provider gave this client",
                by: readFile)
        }
        let scopeForm = "names without spaces"
        var scopes: [String] = []
        for (index, scope) in (reader.strings("scopes") ?? ["profile"]).enumerated() {
            if (1...255).contains(scope.utf8.count), scope.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
                scopes.append(scope)
            } else {
                reader.report("scopes[\(index)]", found: "found \(scope.excerpt)", allowed: "must be \(scopeForm)")
            }
        }
        let nameClaim = reader.parsed("name-claim", allowed: text, isName)
        let numberClaim = reader.parsed("number-claim", allowed: text, isName)
        let rolesClaim = reader.parsed("roles-claim", allowed: text, isName)
        guard let issuer, let clientID, let secret, let address else { return (nil, sessions) }
        return (
            ClientSettings(
                issuer: issuer, clientID: clientID, clientSecret: secret,
                redirectURI: address.origin + "/sign-in/callback", scopes: scopes, nameClaim: nameClaim ?? "name",
                numberClaim: numberClaim, rolesClaim: rolesClaim ?? "groups", roleRules: rules), sessions
        )
    }

    private static func readRoles(_ root: TOMLReader) -> ([RoleRule], SessionPolicy) {
        let readers = root.tables("roles")
        if readers.count > mostRoles {
            root.report("roles", found: "has \(readers.count) entries", allowed: "must have at most \(mostRoles)")
        }
        var rules: [RoleRule] = []
        var sessions = SessionPolicy()
        let names = Role.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        for reader in readers.prefix(mostRoles) {
            defer { reader.finish() }
            let valueForm = "a value of the roles-claim, 1 to 255 characters"
            if !reader.has("role") { reader.missing("role", allowed: "one of \(names)") }
            if !reader.has("value") { reader.missing("value", allowed: valueForm) }
            let role = reader.parsed("role", allowed: "one of \(names)") { Role(rawValue: $0) }
            let value = reader.parsed("value", allowed: valueForm) { (1...255).contains($0.utf8.count) ? $0 : nil }
            let range = SessionPolicy.allowedLimits
            let limit = reader.duration("session", in: .seconds(range.lowerBound) ... .seconds(range.upperBound))
            guard let role, let value else { continue }
            rules.append(RoleRule(role: role, value: value))
            // Several groups can have one role; which of them gave it to somebody is not kept.
            if let seconds = limit?.components.seconds {
                sessions.limits[role] = min(seconds, sessions.limits[role] ?? seconds)
            }
        }
        return (rules, sessions)
    }
}
