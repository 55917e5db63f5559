import HTTPClient
import HTTPTypes
import InteractionStore
import Pages
import SignIn
import SystemIO
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

/// The page, as a browser asks for it.
extension TestAPI {
    static let pageOrigin = "http://127.0.0.1:8480"

    /// Configuration with a page.
    static let pageConfiguration = """
        [store]
        location = "x.sqlite"
        [api]
        listen = "127.0.0.1:8480"
        [page]
        base-url = "\(pageOrigin)"

        """

    /// Browser with the session of an account.
    struct Browser: Sendable {
        var api: TestAPI
        var cookie: String?
        var formToken = ""

        func get(_ path: String) async throws -> Answer { try await send("GET", path) }

        /// Sends a form with the session's token.
        func post(_ path: String, _ fields: [String: String] = [:], origin: String? = pageOrigin) async throws -> Answer
        {
            let isUpload = PageRoute.matching(path)?.definition.body == .files
            if isUpload { return try await upload(path, fields, origin: origin) }
            let fields = fields.merging(["token": formToken]) { given, _ in given }
            let body = fields.map { "\(FormFields.encode($0.key))=\(FormFields.encode($0.value))" }
                .joined(separator: "&")
            return try await send("POST", path, body: body, origin: origin)
        }

        /// Sends a form that can have files, as browsers do, with the session's token.
        ///
        /// - Parameter files: names and contents by field.
        func upload(
            _ path: String, _ fields: [String: String] = [:],
            files: [String: (name: String, bytes: [UInt8])] = [:], origin: String? = pageOrigin
        ) async throws -> Answer {
            let boundary = "----WebKitFormBoundaryq7Xk"
            var body: [UInt8] = []
            for (name, value) in fields.merging(["token": formToken], uniquingKeysWith: { given, _ in given }) {
                body += Array(
                    "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
            }
            for (field, file) in files {
                let header =
                    "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(field)\"; filename=\"\(file.name)\"\r\n"
                    + "Content-Type: application/octet-stream\r\n\r\n"
                body += Array(header.utf8) + file.bytes + Array("\r\n".utf8)
            }
            body += Array("--\(boundary)--\r\n".utf8)
            return try await send(
                "POST", path, bytes: body, type: "multipart/form-data; boundary=\(boundary)", origin: origin)
        }

        func send(
            _ method: String, _ path: String, body: String? = nil, bytes: [UInt8]? = nil,
            type: String = "application/x-www-form-urlencoded", origin: String? = nil, fetchSite: String? = nil
        ) async throws -> Answer {
            var headers: [HTTPClient.Header] = []
            let body = bytes ?? body.map { Array($0.utf8) }
            if body != nil { headers.append(.init("Content-Type", type)) }
            if let cookie { headers.append(.init("Cookie", cookie)) }
            if let origin { headers.append(.init("Origin", origin)) }
            if let fetchSite { headers.append(.init("Sec-Fetch-Site", fetchSite)) }
            let response = try await TestAPI.client.send(
                HTTPClient.Request(
                    method, "http://127.0.0.1:\(api.port)\(path)", headers: headers, body: body,
                    timeout: .seconds(100), limit: 16 * 1024 * 1024))
            return Answer(
                status: response.status,
                headers: Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { $1 },
                body: response.body,
                cookies: response.headers.filter { $0.name.lowercased() == "set-cookie" }.map(\.value))
        }
    }

    /// Returns a browser in which nobody is signed in.
    var stranger: Browser { Browser(api: self) }

    /// Returns a browser with a session.
    func browser(
        _ roles: Role..., name: String = "Olga Officer", number: String? = nil
    ) throws -> Browser { try browser(Set(roles), name: name, number: number) }

    func browser(_ roles: Set<Role>, name: String = "Olga Officer", number: String? = nil) throws -> Browser {
        let token = SessionToken()
        let now = clock.withLock { $0 }
        let account = Account(issuer: "https://login.example", subject: name, name: name, number: number, roles: roles)
        let key = try store.use { store in
            try store.begin(StoredSession(hash: token.hash, account: account, created: now, used: now))
            return try store.secret("forms")
        }
        return Browser(
            api: self, cookie: "beacon-session=\(token.text)",
            formToken: FormToken.of(session: token.hash, key: Array(key.utf8)))
    }
}
