import BeaconModel
import Glibc
import RecordContract
import RecordOutbox
import SystemIO
import TestSupport
import Testing

@testable import GatewayCore
@testable import GatewayDaemon
@testable import Publishing

@Suite struct StateDirectoryTests {
    private let now = Timestamp(microseconds: 1_605_441_600_000_000)

    private func next(_ directory: String, now: Timestamp) throws -> UInt64 {
        try StateDirectory(path: directory).nextBoot(now: now) { Issue.record("damage: \($0)") }
    }

    @Test("Numbers grow with each run, also when the clock stands still or goes back")
    func grows() throws {
        let directory = try TemporaryDirectory()
        let numbers = try [now, now, .epoch].map { try next(directory.path, now: $0) }
        #expect(numbers[0] >> BootNumber.randomBits == 1_605_441_600)
        #expect(numbers[0] < numbers[1] && numbers[1] < numbers[2], "\(numbers)")
    }

    @Test("Two gateways made from one card, which start in the same second, have different numbers")
    func copies() throws {
        let (one, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        for directory in [one.path, other.path] {
            _ = try FileContents.replace(directory + "/boot", with: Array("7\n".utf8))
        }
        #expect(try next(one.path, now: now) != next(other.path, now: now))
        withExtendedLifetime((one, other)) {}
    }

    @Test("A lost directory doesn't bring old numbers back")
    func lost() throws {
        let (lost, new) = (try TemporaryDirectory(), try TemporaryDirectory())
        let first = try next(lost.path, now: now)
        #expect(try next(new.path, now: now + .seconds(60)) > first)
        withExtendedLifetime((lost, new)) {}
    }

    @Test("Damage is told and doesn't stop the gateway", arguments: ["", "12x", "-1", "9007199254740992"])
    func damage(contents: String) throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("boot", contents)
        var told: [String] = []
        let number = try StateDirectory(path: directory.path).nextBoot(now: now) { told.append($0) }
        #expect(number >> BootNumber.randomBits == 1_605_441_600)
        #expect(told.count == 1 && told[0].contains("/boot does not hold a number below 2^53"))
    }

    @Test("A directory that can't be made is an error that says what to do")
    func noDirectory() {
        let error = #expect(throws: StateDirectoryError.self) { try StateDirectory(path: "/no/such/parent").lock() }
        #expect(error?.what.hasPrefix("cannot create the state directory /no/such/parent") == true)
        #expect(error?.remedy?.contains("state.directory") == true)
    }

    @Test("A second gateway with the same directory is refused")
    func inUse() throws {
        let directory = try TemporaryDirectory()
        try StateDirectory(path: directory.path).lock()
        let error = #expect(throws: StateDirectoryInUse.self) { try StateDirectory(path: directory.path).lock() }
        #expect(error?.exitStatus == .unavailable)
        withExtendedLifetime(directory) {}
    }

    @Test(
        "What to do about a directory that can't be used depends on why",
        arguments: [
            (ENOSPC, "free space"), (EDQUOT, "free space"), (EROFS, "mount its file system for writing"),
            (EIO, "check the disk"), (EACCES, "sudo install -d"),
        ])
    func remedy(errorNumber: Int32, remedy: String) {
        let error = StateDirectoryError(directory: "/state", error: SystemError("write", errorNumber: errorNumber))
        #expect(error.remedy?.hasPrefix(remedy) == true)
    }

    @Test(
        "The lock of a disk without inodes is made in the place of what the outbox has set aside",
        .enabled("only root may mount a small disk") { SmallDisk.isPossible })
    func lockWithoutInodes() async throws {
        let disk = try #require(SmallDisk(bytes: 12_000_000))
        let state = StateDirectory(path: disk.directory.path)
        await (try Outbox.open(state.outboxPath, rules: OutboxRules(), now: .now())).close()
        disk.takeInodes()
        #expect(throws: SystemError.self) { try FileContents.replace(state.path + "/other", with: []) }
        #expect(throws: Never.self) { try state.lock() }
    }

    @Test(
        "A gateway starts on a disk that others have filled, in the space that its outbox has set aside",
        .enabled("only root may mount a small disk") { SmallDisk.isPossible }, .timeLimit(.minutes(10)))
    func fullDisk() async throws {
        try await TestBroker.with { broker in
            let disk = try #require(SmallDisk(bytes: 12_000_000))
            let configuration = try disk.directory.writeConfiguration(brokerPort: broker.port)
            let state = StateDirectory(path: disk.directory.path)
            let now = ClockReading.now()
            let outbox = try await Outbox.open(state.outboxPath, rules: OutboxRules(), now: now)
            let record = OutboxRecord(
                topic: "t", priority: .ended, position: RecordPosition(boot: 1, sequence: 1),
                payload: Array("{\"historical\":false}".utf8))
            await outbox.append([record], at: now)
            await outbox.close()
            disk.fill()
            let lines = try await broker.subscribe(to: "#")
            let gateway = try ChildProcess(BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration])
            #expect(await lines.first { $0.contains(" t {") } != nil)
            gateway.send(signal: SIGTERM)
            #expect(await gateway.exitStatus() == 0)
            let again = try await Outbox.open(state.outboxPath, rules: OutboxRules(), now: now)
            #expect(await again.status(at: now).records == 0)
            await again.close()
        }
    }

    // The gateway had waited for somebody to read from it, deaf to its end.
    @Test func `A named pipe in place of a file is an error`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/presence.journal"
        try #require(mkfifo(path, 0o600) == 0)
        let alone = #expect(throws: SystemError.self) { try FileContents.append([1], to: path, limit: 1000) }
        #expect(alone?.errorNumber == ENXIO)
        let reader = open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let error = #expect(throws: SystemError.self) { try FileContents.append([1], to: path, limit: 1000) }
        #expect(error?.what.contains("a named pipe") == true, "\(error?.what ?? "")")
    }

    // Whoever may write there would have an administrator's command write elsewhere.
    @Test(
        "Links in the directory aren't followed, also those to what isn't there",
        arguments: ["audit.jsonl", "outbox.db", "outbox.db.state", "outbox.db.reserve", "lock", "presence.journal"])
    func links(name: String) async throws {
        let directory = try TemporaryDirectory()
        let elsewhere = directory.path + "/elsewhere"
        try #require(mkdir(directory.path + "/state", 0o755) == 0)
        let link = directory.path + "/state/" + name
        try #require(symlink(elsewhere, link) == 0)
        let rules = OutboxRules()
        switch name {
        case "audit.jsonl":
            let error = #expect(throws: SystemError.self) {
                try FileContents.append([1], to: link, limit: 1000)
            }
            #expect(error?.what.contains("it is a symbolic link") == true)
        case "presence.journal":
            _ = try directory.write("elsewhere", "somebody else's")
            #expect(throws: SystemError.self) { try FileContents.truncate(link) }
            #expect(try FileContents.read(elsewhere, limit: 100).count == 15)
            return
        case "lock":
            #expect(throws: StateDirectoryError.self) { try StateDirectory(path: directory.path + "/state").lock() }
        default:
            let outbox = try? await Outbox.open(
                directory.path + "/state/outbox.db", rules: rules, now: .now())
            #expect((outbox == nil) == (name == "outbox.db"))
            await outbox?.close()
        }
        #expect(access(elsewhere, F_OK) != 0, "nothing was made there")
    }
}
