import BeaconModel
import CommandSupport
import Crypto
import Evidence
import FoundationEssentials
import HTTPClient
import HTTPServing
import HTTPTypes
import InteractionStore
import JWTKit
import Logging
import Matching
import Pages
import RecordContract
import ServiceLifecycle
import SystemIO
import TestSupport
import Testing

@testable import MatcherCore
@testable import MatcherDaemon

/// 2026-11-02T08:00:00Z, in seconds since 1970.
let morning: Int64 = 1_793_606_400

/// The API on a port of its own, at a time that the test gives.
struct TestAPI: Sendable {
    let port: Int
    let store: SharedStore
    let board: NoticeStreams
    let secrets: SubjectSecrets
    let policy: Policy
    let clock: LockedValue<Int64>
    /// Whom the site believes.
    let authority: ES256PrivateKey
    let gateways: GatewayWatch
    let live: LivePlaces
    let location: StoreLocation
    let phones: PhoneSettings

    static let client = HTTPClient()
    static let operatorToken = "operator-token-of-the-test"
    static let officerToken = "officer-token-of-the-test"
    static let issuer = "https://health.example"
    static let beacon = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/1"
    static let pseudonymKey = [UInt8](repeating: 7, count: 32)
    static let formerPseudonymKey = [UInt8](repeating: 8, count: 32)

    /// Runs `body` with a server at 12:00 of that day.
    static func with<Value>(
        _ backend: Backend = .chosen, requestsPerMinute: Int = 100_000, policy name: String = "further",
        selfReported: Double = 0,
        configuration: String = "", files: [String: String] = [:], phones: PhoneSettings = .permissive,
        closesBoard: Bool = true,
        bodyPatience: Duration = .seconds(20), headerPatience: HeaderPatience = HeaderPatience(),
        isBehindProxy: Bool = false, mostConnections: Int = 512, socket: String? = nil, commands: CommandSender? = nil,
        coverageTurn: CoverageTurn = CoverageTurn(),
        isolation: isolated (any Actor)? = #isolation, _ body: (TestAPI) async throws -> Value
    ) async throws -> Value {
        try await backend.with { location, _, _ in
            let store = SharedStore(
                try InteractionStore.open(location, proofUUID: phones.proofUUID?.description))
            let authority = ES256PrivateKey()
            var policy = try #require(Policy.shipped(name))
            policy.reportTypes.selfReported = selfReported
            let clock = LockedValue<Int64>(morning + 4 * 3600)
            let room = StreamRoom()
            let board = NoticeStreams(room: room)
            let gateways = GatewayWatch()
            let secrets = SubjectSecrets(secret: try store.use { try $0.secret("subjects") })
            var logger = Logger(label: "api") { StreamLogHandler.standardError(label: $0) }
            logger.logLevel = .error
            var settings = try MatcherConfiguration.parse(
                configuration, path: "test.toml", readFile: { Array((files[$0] ?? "").utf8) })
            settings.phones = phones
            let codes = try await CodeAuthority(store: store)
            let live = LivePlaces(
                settings.localisation, secrets: secrets, prefix: "beacons", logger: logger,
                room: room, facts: { gateways.facts })
            let service = APIService(
                store: store, policy: policy, secrets: secrets,
                verifier: await ReportVerifier(
                    authorities: [
                        HealthAuthority(issuer: issuer, keyID: nil, key: authority.publicKey), codes.authority,
                    ],
                    audience: "campus"),
                pseudonymizers: [pseudonymKey, formerPseudonymKey].map { Pseudonymizer(secret: $0) },
                pages: try await PositivePages(store: store),
                notices: board, topicPrefix: "beacons",
                budgets: LockedValue(RequestBudgets(perMinute: requestsPerMinute)),
                stayBudgets: LockedValue(
                    RequestBudgets(perMinute: requestsPerMinute * APIService.staysPerRequest)),
                codes: codes,
                operators: [
                    OperatorCredential(name: "desk", token: Array(operatorToken.utf8)),
                    OperatorCredential(name: "office", token: Array(officerToken.utf8), role: .officer),
                ],
                occupancy: OccupancySearch(rooms: [], kinds: []),
                gateways: gateways,
                configuration: settings,
                live: live,
                phoneLocator: PhoneLocator(store: store),
                now: { clock.withLock { $0 } })
            let reloadable = Reloadable(service)
            let floors = DrawnFloors(
                store: store, configuration: Reloadable(settings), api: reloadable, live: live)
            let activation = Activation()
            activation.begin()
            let (ports, found) = AsyncStream<Int>.makeStream()
            let server = APIServer(
                settings: APISettings(
                    address: socket.map { .socket(path: $0) } ?? .host("127.0.0.1", port: 0),
                    requestsPerMinute: requestsPerMinute, isBehindProxy: isBehindProxy),
                service: reloadable,
                page: settings.page == nil
                    ? nil
                    : PageService.PageParts(
                        renderer: try PageRenderer(), formKey: Array(try store.use { try $0.secret("forms") }.utf8),
                        floorsChanged: { try await floors.refresh() }, commands: commands,
                        pictures: PictureIntake(settings.pictures, logger: logger), coverageTurn: coverageTurn),
                activation: activation, logger: logger, bodyPatience: bodyPatience,
                headerPatience: headerPatience, mostConnections: mostConnections,
                listening: { found.yield($0) })
            let group = ServiceGroup(services: [server], logger: logger)
            let running = Task { try await group.run() }
            var iterator = ports.makeAsyncIterator()
            let port = try #require(await iterator.next())
            let api = TestAPI(
                port: port, store: store, board: board, secrets: secrets, policy: policy, clock: clock,
                authority: authority, gateways: gateways, live: live, location: location, phones: phones)
            let result: Result<Value, any Error>
            do {
                result = .success(try await body(api))
            } catch {
                result = .failure(error)
            }
            if closesBoard { board.close() }
            await group.triggerGracefulShutdown()
            try await running.value
            return try result.get()
        }
    }

    // MARK: Requests

    struct Answer: Sendable {
        var status: Int
        var headers: [String: String]
        var body: [UInt8]
        /// Values of all fields `Set-Cookie`.
        var cookies: [String] = []

        var text: String { String(decoding: body, as: UTF8.self) }

        /// A member of a JSON object, as text.
        func member(_ name: String) throws -> String {
            let object = try JSON.decode([String: AnyValue].self, from: body)
            return object[name]?.text ?? ""
        }
    }

    /// A value of which only the text matters.
    struct AnyValue: Decodable {
        var text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(String.self) {
                text = value
            } else if let value = try? container.decode(Bool.self) {
                text = "\(value)"
            } else if let value = try? container.decode(Int.self) {
                text = "\(value)"
            } else {
                text = "?"
            }
        }
    }

    func get(_ path: String, secret: String? = nil, tag: String? = nil) async throws -> Answer {
        try await send("GET", path, secret: secret, tag: tag)
    }

    /// - Parameter client: for whom a proxy says that it asks.
    func post(
        _ path: String, _ body: String? = nil, secret: String? = nil, for client: String? = nil
    ) async throws -> Answer {
        try await send("POST", path, body: body, secret: secret, for: client)
    }

    func send(
        _ method: String, _ path: String, body: String? = nil, type: String = "application/json",
        secret: String? = nil, tag: String? = nil, for client: String? = nil
    ) async throws -> Answer {
        var headers: [HTTPClient.Header] = []
        if body != nil { headers.append(.init("Content-Type", type)) }
        if let secret { headers.append(.init("Authorization", "Bearer \(secret)")) }
        if let tag { headers.append(.init("If-None-Match", tag)) }
        if let client { headers.append(.init("X-Forwarded-For", client)) }
        let response = try await Self.client.send(
            HTTPClient.Request(
                method, "http://127.0.0.1:\(port)\(path)", headers: headers, body: body.map { Array($0.utf8) },
                timeout: .seconds(100), limit: 16 * 1024 * 1024))
        return Answer(
            status: response.status,
            headers: Dictionary(response.headers.map { ($0.name.lowercased(), $0.value) }) { $1 },
            body: response.body)
    }

    /// Listens to somebody's events, by a client that prints them as they arrive.
    func listen(_ phone: Phone) throws -> ChildProcess {
        try ChildProcess(
            ChildProcess.find("curl"),
            [
                "--silent", "--no-buffer", "--include", "--max-time", "60", "--noproxy", "*", "--header",
                "Authorization: Bearer \(phone.secret)",
                "http://127.0.0.1:\(port)\(phone.path)/events",
            ])
    }

    // MARK: People

    struct Phone: Sendable {
        var id: String
        var secret: String
        var identity: SubjectIdentity
        var path: String { "/v1/subjects/phone:\(id)" }
    }

    func newPhone() async throws -> Phone {
        let answer = try await post("/v1/phones")
        let id = try answer.member("id")
        return Phone(
            id: id, secret: try answer.member("secret"),
            identity: try #require(SubjectIdentity(kind: "phone", id: id)))
    }

    /// Has a gateway hear somebody at the beacon, 1 m away, in these minutes of the morning.
    func hear(
        _ subject: SubjectIdentity, _ minutes: ClosedRange<Int64>, sequence: UInt64, room: String? = "101",
        beacon: String = beacon, gateway: String = "east", floor: String = "1", clockIsSynchronized: Bool = true
    ) throws {
        let path = "campus/main/\(floor)/\(gateway)"
        let record = InteractionRecord(
            position: RecordPosition(boot: 1, sequence: sequence), gateway: path,
            origin: path + "/1", number: Int64(sequence),
            place: PlaceName(
                key: beacon, site: "campus", building: "main", floor: floor, gateway: path,
                room: room, beacon: beacon),
            subject: subject, start: morning + minutes.lowerBound * 60, end: morning + minutes.upperBound * 60,
            state: .departed, samples: 10, rssi: -60,
            distance: .init(centimetres: 100, lower: 50, upper: 200), clockIsSynchronized: clockIsSynchronized)
        _ = try store.use { try $0.store([.interaction(record)], now: clock.withLock { $0 }) }
    }

    /// Finds what follows from all reports, as the daemon does.
    func match() throws {
        let now = clock.withLock { $0 }
        let matching = ReportMatching(policy: policy, phoneDelay: phones.tellingDelay)
        try store.use { store in
            for report in try store.reports(since: now - 28 * 86_400) {
                _ = try matching.match(report, in: store, now: now)
            }
            for stale in try store.staleNotices() { try matching.announce(stale, in: store, now: now) }
        }
    }

    // MARK: Tokens

    /// What a health authority signs.
    struct Claims: JWTPayload {
        var iss = TestAPI.issuer
        var aud: Audience = "campus"
        var iat: Int64
        var exp: Int64
        var nbf: Int64?
        var jti = "1"
        var sub: String?
        var names: [String]?
        var testDate: String?
        var onset: String?

        enum CodingKeys: String, CodingKey {
            case iss, aud, iat, exp, nbf, jti, sub, names, onset
            case testDate = "test_date"
        }

        func verify(using algorithm: some JWTAlgorithm) {}

        enum Audience: Codable, Sendable, ExpressibleByStringLiteral {
            case one(String)
            case several([String])

            init(stringLiteral value: String) { self = .one(value) }

            init(from decoder: any Decoder) throws {
                self = .one(try decoder.singleValueContainer().decode(String.self))
            }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .one(let name): try container.encode(name)
                case .several(let names): try container.encode(names)
                }
            }
        }
    }

    /// Made now, for an hour and for somebody.
    func claims(of phone: Phone) -> Claims {
        let now = clock.withLock { $0 }
        return Claims(iat: now, exp: now + 3600, sub: phone.identity.description)
    }

    func token(
        _ claims: Claims, key: ES256PrivateKey? = nil, header: JWTHeader = JWTHeader()
    ) async throws -> String {
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: key ?? authority)
        return try await keys.sign(claims, header: header)
    }

    func reportBody(_ phone: Phone, verification: String? = nil, more: String = "") -> String {
        let token = verification.map { #","verification":"\#($0)""# } ?? ""
        return
            #"{"subjects":[{"kind":"phone","id":"\#(phone.id)","secret":"\#(phone.secret)"}]\#(more)\#(token)}"#
    }

    /// How many reports there are.
    func reports() throws -> Int { try store.use { try $0.reports(since: 0).count } }
}

extension PhoneSettings {
    /// For tests of something else: anybody enrols, and is believed and told at once.
    static let permissive = PhoneSettings(
        needsCode: false, uploadWithin: 30 * 86_400, proofUUID: nil, acceptsUnproven: true, tellsNextDay: false)
}
