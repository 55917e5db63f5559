import BeaconModel
import Glibc
import HTTPClient
import JWTKit
import Matching
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import InteractionStore
@testable import MatcherCore
@testable import MatcherIntegrationTests
@testable import OperatorText
@testable import Publishing

/// Up to which record a gateway has been told that all are stored.
private struct StoredPositions {
    private let highest = LockedValue<UInt64>(0)
    private let reading: Task<Void, Never>

    init(_ broker: TestBroker, of gateway: String) async throws {
        let lines = try await broker.subscribe(to: "beacons/v1/\(gateway)/stored", format: "%p")
        reading = Task { [highest] in
            _ = await lines.first { line in
                let sequence = line.split(separator: #""sequence":"#).last.flatMap {
                    UInt64($0.prefix(while: \.isNumber))
                }
                highest.withLock { $0 = max($0, sequence ?? 0) }
                return false
            }
        }
    }

    var latest: UInt64 { highest.withLock { $0 } }
}

/// The store when the program, or the database, is killed with -9.
@Suite(.timeLimit(.minutes(10))) struct MatcherKillTests {
    private static let broker = "allow_anonymous true\nmax_queued_messages 0\nmax_inflight_messages 100"

    /// The numbers of all interactions, as often as they are there, and what SQLite finds wrong.
    private func interactions(
        _ location: StoreLocation, _ directory: TemporaryDirectory
    ) throws -> [Int64] {
        if case .sqlite(let path) = location {
            #expect(try IntegrityCheck.damage(of: path, in: directory.path) == nil)
        }
        var numbers: [Int64] = []
        try InteractionStore.open(location).database.read { session in
            try session.query("SELECT number FROM interaction ORDER BY number") { numbers.append($0.integer(0)) }
        }
        return numbers
    }

    @Test(arguments: Backend.installed)
    func `A matcher that is killed with -9 again and again, and its database, lose no record and double none`(
        backend: Backend
    ) async throws {
        var random = SeededGenerator("matcher killed")
        try await backend.with { location, server, directory in
            try await TestBroker.with(configuration: Self.broker) { broker in
                let configuration = try TestMatcher.configuration(location, port: broker.port, in: directory)
                let first = try TestMatcher(configuration)
                #expect(await first.waitUntilStoring())
                let gateway = try await TestGateway(broker: broker, confirmation: .consumer)
                try await gateway.sayHealth()
                let told = try await StoredPositions(broker, of: gateway.path)
                await first.kill()
                var last: UInt64 = 0
                let kills = TestScale.amount(6, full: 40)
                var before = 0
                var killedAtWork = 0
                for number in 0..<kills {
                    let earlier = try InteractionStore.through(location, gateway.path) ?? 0
                    let matcher = try TestMatcher(configuration)
                    last = await gateway.publish(100)
                    // Every other kill meets a matcher that stores; the rest meet one that starts or connects.
                    let meetsWork = number.isMultiple(of: 2)
                    if meetsWork {
                        let stores = await eventually(within: .seconds(60)) {
                            ((try? InteractionStore.through(location, gateway.path)) ?? 0) > earlier
                        }
                        #expect(stores, random.comment)
                    }
                    let seen = try InteractionStore.through(location, gateway.path) ?? 0
                    last = await gateway.publish(100)
                    usleep(.random(in: meetsWork ? 0...50_000 : 20_000...400_000, using: &random))
                    if let server, Bool.random(using: &random) {
                        // The database first, while something is under way.
                        await server.crash()
                        await matcher.kill()
                        try await server.restart()
                    } else {
                        await matcher.kill()
                    }
                    // What others saw is stored, and what a gateway let go of: it was told after the commit.
                    let through = try InteractionStore.through(location, gateway.path) ?? 0
                    #expect(max(seen, told.latest) <= through, random.comment)
                    let numbers = try interactions(location, directory)
                    // What is there stays there, once.
                    #expect(Set(numbers).count == numbers.count && numbers.count >= before, random.comment)
                    // By records: one that ends an interaction doesn't add to their number.
                    if through > earlier { killedAtWork += 1 }
                    before = numbers.count
                }
                print("\(kills) kills, \(killedAtWork) of them of one that had stored something")
                #expect(killedAtWork >= kills / 2, random.comment)
                let matcher = try TestMatcher(configuration)
                #expect(await matcher.waitUntilStoring())
                let isThrough = await eventually(within: .seconds(60)) {
                    (try? InteractionStore.through(location, gateway.path)) == last
                }
                #expect(isThrough, random.comment)
                #expect(await eventually(within: .seconds(60)) { await gateway.waiting == 0 }, random.comment)
                #expect(await matcher.stop() == 0)
                await gateway.end()
                #expect(try interactions(location, directory) == Array(1...Int64(200 * kills)), random.comment)
                #expect(try InteractionStore.count(location).ended == 200 * kills, random.comment)
            }
        }
    }

    /// A student of the test, who carries a phone.
    private struct Student: Sendable {
        var id: String
        var phone: SubjectIdentity
        var secret: String
    }

    /// What the program has answered with success.
    private struct Answered {
        var ranged: Set<SubjectIdentity> = []
        var signed: Set<String> = []
        /// By the reference of the report.
        var reported: [String: SubjectIdentity] = [:]
    }

    private static let beacon = "\(BadgeRecords.uuid)/9/9"

    /// A lecture that is under way.
    private func configuration(
        _ location: StoreLocation, port: UInt16, _ students: [Student], _ authority: ES256PrivateKey,
        in directory: TemporaryDirectory
    ) throws -> String {
        let now = WallClock.now().microseconds / 1_000_000
        func stamp(_ seconds: Int64) -> String { InstantText.utc(seconds).filter { $0 != "-" && $0 != ":" } }
        let timetable = try directory.write(
            "t.ics",
            [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//test//EN", "BEGIN:VEVENT", "UID:physics-1",
                "DTSTAMP:20261101T000000Z", "DTSTART:\(stamp(now - 600))", "DTEND:\(stamp(now + 7200))",
                "SUMMARY:Physics", "LOCATION:101", "END:VEVENT", "END:VCALENDAR", "",
            ].joined(separator: "\r\n"))
        let roster = try directory.write(
            "r.csv",
            "course,student,subject\n" + students.map { "Physics,\($0.id),\($0.phone)\n" }.joined())
        let key = try directory.write("health.pem", authority.publicKey.pemRepresentation)
        return try TestMatcher.configuration(
            location, port: port,
            more: """

                [api]
                listen = "127.0.0.1:0"
                requests-per-minute = 1000000

                [phones]
                unproven-stays = true

                [[authorities]]
                issuer = "\(TestAPI.issuer)"
                key-file = "\(key)"

                [reports]
                audience = "campus"

                [[rooms]]
                name = "101"
                beacons = ["\(Self.beacon)"]

                [attendance]
                timetable-files = ["\(timetable)"]
                roster-file = "\(roster)"
                """, in: directory)
    }

    /// Asks for everything that a student may want.
    ///
    /// - Returns: whether there was an answer to all of it.
    private func ask(
        _ client: HTTPClient, _ port: Int, _ student: Student, _ tokens: JWTKeyCollection, _ answered: inout Answered
    ) async throws -> Bool {
        let now = WallClock.now().microseconds / 1_000_000
        let reading =
            #"{"uuid":"\#(BadgeRecords.uuid)","major":9,"minor":9,"distance":1.2,"timestamp":"\#(InstantText.utc(now))"}"#
        let ranged = await post(
            client, port, "interactions", #"{"phone":"\#(student.phone.id)","interactions":[\#(reading)]}"#,
            student.secret)
        guard let ranged else { return false }
        if ranged.contains(#""stored":1"#) { answered.ranged.insert(student.phone) }
        let signed = await post(
            client, port, "check-ins", #"{"room":"101","kind":"phone","id":"\#(student.phone.id)"}"#, student.secret)
        guard let signed else { return false }
        if signed.contains(#""result":"successful""#) { answered.signed.insert(student.id) }
        var claims = TestAPI.Claims(iat: now, exp: now + 3600, sub: student.phone.description)
        // The same each time: a report that is sent again because nobody answered counts once.
        claims.jti = student.id
        let reported = await post(
            client, port, "reports",
            #"{"subjects":[{"kind":"phone","id":"\#(student.phone.id)","secret":"\#(student.secret)"}],"#
                + #""verification":"\#(try await tokens.sign(claims))"}"#, nil)
        guard let reported else { return false }
        let parts = reported.split(separator: #""report":""#)
        if parts.count == 2 { answered.reported[String(parts[1].prefix { $0 != "\"" })] = student.phone }
        return true
    }

    /// - Returns: the body of an answer that isn't the database's failure.
    private func post(
        _ client: HTTPClient, _ port: Int, _ path: String, _ body: String, _ secret: String?
    ) async -> String? {
        var headers = [HTTPClient.Header("Content-Type", "application/json")]
        if let secret { headers.append(.init("Authorization", "Bearer \(secret)")) }
        let request = HTTPClient.Request(
            "POST", "http://127.0.0.1:\(port)/v1/\(path)", headers: headers, body: Array(body.utf8),
            timeout: .seconds(60), limit: 65_536)
        guard let response = try? await client.send(request), response.status < 500 else { return nil }
        return String(decoding: response.body, as: UTF8.self)
    }

    @Test(arguments: Backend.installed)
    func `What the API has answered with success survives kill -9`(backend: Backend) async throws {
        var random = SeededGenerator("API killed")
        try await backend.with { location, server, directory in
            try await TestBroker.with { broker in
                let secrets = SubjectSecrets(secret: try InteractionStore.open(location).secret("subjects"))
                let students = try (0..<1000).map { number in
                    let phone = try #require(SubjectIdentity("phone:the-phone-of-\(number)"))
                    return Student(id: "s\(number)", phone: phone, secret: secrets.secret(of: phone))
                }
                let authority = ES256PrivateKey()
                let tokens = JWTKeyCollection()
                await tokens.add(ecdsa: authority)
                let file = try configuration(location, port: broker.port, students, authority, in: directory)
                let client = HTTPClient()
                var answered = Answered()
                var asked = 0
                let kills = TestScale.amount(3, full: 12)
                for round in 0..<kills {
                    let matcher = try TestMatcher(file)
                    let line = try #require(
                        await matcher.process.errorOutput.first { $0.contains("API listening") })
                    let port = try #require(
                        line.split(separator: "port=").last.flatMap { Int($0.prefix(while: \.isNumber)) })
                    // In the midst of the requests, and not before some were answered.
                    let answers = Int.random(in: 1...20, using: &random)
                    let pause = Int.random(in: 0...100, using: &random)
                    let begun = asked
                    var killer: Task<Void, any Error>?
                    var isAlive = true
                    while isAlive, asked < students.count {
                        if asked == begun + answers {
                            killer = Task {
                                try await Task.sleep(for: .milliseconds(pause))
                                if round % 3 == 2 { await server?.crash() }
                                await matcher.kill()
                            }
                        }
                        isAlive = try await ask(client, port, students[asked], tokens, &answered)
                        // Who got no answer asks again.
                        if isAlive { asked += 1 }
                    }
                    #expect(killer != nil, random.comment)
                    _ = try await killer?.value
                    if round % 3 == 2 { try await server?.restart() }
                }
                try expect(answered, in: location, directory, random.comment)
                print(
                    "\(kills) kills, answered: \(answered.ranged.count) ranged, \(answered.signed.count) signed, "
                        + "\(answered.reported.count) reported")
                #expect(!answered.signed.isEmpty && !answered.reported.isEmpty, random.comment)
            }
        }
    }

    private func expect(
        _ answered: Answered, in location: StoreLocation, _ directory: TemporaryDirectory, _ comment: Comment
    ) throws {
        if case .sqlite(let path) = location {
            #expect(try IntegrityCheck.damage(of: path, in: directory.path) == nil)
        }
        let store = try InteractionStore.open(location)
        #expect(try Set(store.numbers(of: Array(answered.ranged)).keys) == answered.ranged, comment)
        var ranged: Set<Int64> = []
        var signed: [String] = []
        try store.database.read { session in
            try session.query("SELECT subject FROM interaction") { ranged.insert($0.integer(0)) }
            try session.query("SELECT student FROM check_in") { signed.append($0.text(0) ?? "") }
        }
        #expect(try ranged.isSuperset(of: store.numbers(of: Array(answered.ranged)).values), comment)
        #expect(Set(signed).isSuperset(of: answered.signed) && Set(signed).count == signed.count, comment)
        let reports = try store.reports(since: 0)
        let byReference = Dictionary(
            reports.map { ($0.reference, $0.subjects.map(\.identity)) }, uniquingKeysWith: { one, _ in one })
        for (reference, phone) in answered.reported {
            #expect(byReference[reference] == [phone], comment)
        }
        // Sent again because nobody had answered, and stored once.
        let people = reports.flatMap(\.subjects).map(\.identity)
        #expect(Set(people).count == people.count, comment)
    }
}
