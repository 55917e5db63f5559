import BeaconModel
import Glibc
import SystemIO
import TestSupport
import TestValues
import Testing

@testable import Publishing
@testable import RecordContract
@testable import RecordOutbox

/// How old records are that an outbox has from its earlier life.
@Suite(.timeLimit(.minutes(10))) struct OutboxRestartTests {
    private let now = OutboxRestart.now
    private let rules = OutboxRestart.rules

    @Test("What came in while the clock was a year off is there after the clock was set and the gateway started again")
    func wrongClock() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        var wrong = now
        wrong.wall = Timestamp(microseconds: now.wall.microseconds - 365 * 86_400_000_000)
        wrong.isSynchronized = false
        let first = try await Outbox.open(path, rules: rules, now: wrong)
        await first.append(OutboxRestart.records(1...20), at: wrong + .seconds(10))
        let right = now + .seconds(60)
        await first.expire(at: right)
        await first.append(OutboxRestart.records(21...30), at: right)
        await first.close()
        // The same start of the machine, and another one.
        for start in [
            right + .seconds(60),
            OutboxRestart.rebooted(wall: right.wall + .seconds(600), up: .seconds(20), isSynchronized: true),
        ] {
            let outbox = try await Outbox.open(path, rules: rules, now: start)
            await outbox.expire(at: start)
            let status = await outbox.status(at: start)
            #expect(status.records == 30)
            #expect(status.expired == 0)
            let age = (start.wall - (status.oldestEntryAt ?? .epoch)).inSeconds
            #expect(age > 50 && age < 700)
            await outbox.close()
        }
    }

    @Test(
        "Once the clock is known after a long time off, what waited since before expires and is told; what came since stays"
    )
    func longTimeOff() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let rules = OutboxRules(age: .seconds(3600), drainRate: 1e9)
        let first = try await Outbox.open(path, rules: rules, now: now)
        await first.append(OutboxRestart.records(1...5), at: now)
        await first.close()
        let wall = now.wall + .seconds(7200)
        let unknown = OutboxRestart.rebooted(wall: .epoch, up: .seconds(30), isSynchronized: false)
        let second = try await Outbox.open(path, rules: rules, now: unknown)
        await second.append(OutboxRestart.records(6...12), at: unknown + .seconds(10))
        #expect(await second.status(at: unknown + .seconds(20)).records == 12)
        let known = OutboxRestart.rebooted(wall: wall, up: .seconds(90), isSynchronized: true)
        await second.expire(at: known)
        #expect(await second.status(at: known).records == 7)
        await second.append(OutboxRestart.records(13...13), at: known)
        await second.close()
        var expired: OutboxLoss?
        for await case .expired(let loss) in second.notices { expired = loss }
        #expect(
            expired
                == OutboxLoss(
                    count: 5, oldest: RecordPosition(boot: 1, sequence: 1), newest: RecordPosition(boot: 1, sequence: 5)
                ))
        let third = try await Outbox.open(path, rules: rules, now: known + .seconds(60))
        #expect(await third.status(at: known + .seconds(60)).records == 8)
        await third.close()
    }

    @Test("What expired while the outbox was closed is told")
    func expiredWhileClosed() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let rules = OutboxRules(age: .seconds(3600))
        let first = try await Outbox.open(path, rules: rules, now: now)
        await first.append(OutboxRestart.records(1...3), at: now)
        await first.close()
        let second = try await Outbox.open(path, rules: rules, now: now + .seconds(3700))
        await second.close()
        var notices: [OutboxNotice] = []
        for await notice in second.notices { notices.append(notice) }
        guard case .expired(let loss)? = notices.first else {
            Issue.record("\(notices)")
            return
        }
        #expect(loss.count == 3)
    }

    @Test("What came in while the clock wasn't known doesn't age by a time off that may have been before it")
    func unknownTimeOff() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let rules = OutboxRules(age: .seconds(3600), drainRate: 1e9)
        let first = try await Outbox.open(path, rules: rules, now: now)
        await first.append(OutboxRestart.records(1...5), at: now)
        await first.close()
        let unknown = OutboxRestart.rebooted(wall: .epoch, up: .seconds(30), isSynchronized: false)
        let second = try await Outbox.open(path, rules: rules, now: unknown)
        await second.append(OutboxRestart.records(6...12), at: unknown)
        await second.close()
        let known = ClockReading(
            wall: now.wall + .seconds(7200), sinceBoot: 20_000_000, bootID: "third", isSynchronized: true)
        let third = try await Outbox.open(path, rules: rules, now: known)
        #expect(await third.status(at: known).records == 7)
        await third.close()
    }

    @Test("Seen from outside, and purged by, records have the age that they waited, also after the clock was set")
    func agesFromOutside() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        var wrong = now
        wrong.wall = .epoch
        wrong.isSynchronized = false
        let outbox = try await Outbox.open(path, rules: rules, now: wrong)
        await outbox.append(OutboxRestart.records(1...5), at: wrong)
        await outbox.close()
        let right = now + .seconds(120)
        #expect(try OutboxFile(path: path).contents(at: right).oldestEntryAt == now.wall)
        #expect(try OutboxFile(path: path).purge(olderThan: .seconds(3600), at: right) == [:])
    }

    @Test("That the clock has become known is kept before anything else happens")
    func keptAtOnce() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let first = try await Outbox.open(path, rules: rules, now: now)
        await first.append(OutboxRestart.records(1...5), at: now)
        await first.close()
        let unknown = OutboxRestart.rebooted(wall: .epoch, up: .seconds(30), isSynchronized: false)
        let second = try await Outbox.open(path, rules: rules, now: unknown)
        await second.append(OutboxRestart.records(6...12), at: unknown)
        await second.expire(at: unknown + .seconds(10))
        #expect(await eventually { OutboxRestart.kept(at: path)?.clock.reading == unknown + .seconds(10) })
        let known = OutboxRestart.rebooted(wall: now.wall + .seconds(600), up: .seconds(90), isSynchronized: true)
        await second.expire(at: known)
        #expect(await eventually { OutboxRestart.kept(at: path)?.clock.steps.map(\.firstID) == [6] })
        await second.close()
    }

    @Test("An outbox in which nothing happens keeps its time every hour")
    func keptEveryHour() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        let outbox = try await Outbox.open(path, rules: rules, now: now)
        await outbox.append(OutboxRestart.records(1...1), at: now)
        let later = now + .seconds(3700)
        await outbox.expire(at: later)
        #expect(await eventually { OutboxRestart.kept(at: path)?.clock.reading == later })
        await outbox.close()
    }

    @Test("The clocks of this machine are the time of day, the time since its start, and which start that was")
    func machine() {
        func sinceBoot() -> Int64 {
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
        }
        let before = (wall: WallClock.now(), sinceBoot: sinceBoot())
        let reading = ClockReading.now()
        #expect((before.wall...WallClock.now()).contains(reading.wall))
        #expect((before.sinceBoot...sinceBoot()).contains(reading.sinceBoot))
        #expect(!reading.bootID.isEmpty)
        #expect(ClockReading.now().bootID == reading.bootID)
    }

    @Test("An outbox without a state, as an older version left it, expires nothing at its first start")
    func upgrade() async throws {
        let files = try await OutboxRestart.killed()
        let directory = try TemporaryDirectory()
        let path = try OutboxRestart.write(files.filter { $0.key != ".state" }, to: directory)
        let later = now + .seconds(365 * 86_400)
        for start in [later, later + .seconds(3600)] {
            let outbox = try await Outbox.open(path, rules: rules, now: start)
            #expect(outbox.findings == [])
            #expect(await outbox.status(at: start).records == 30)
            await outbox.close()
        }
    }

    @Test("A damaged state costs no record, and is told")
    func damagedState() async throws {
        var files = try await OutboxRestart.killed()
        files[".state"]?[40] ^= 1
        let directory = try TemporaryDirectory()
        let path = try OutboxRestart.write(files, to: directory)
        let outbox = try await Outbox.open(path, rules: rules, now: now + .seconds(365 * 86_400))
        #expect(outbox.findings.map(\.what) == [path + ".state is damaged"])
        #expect(await outbox.status(at: now + .seconds(365 * 86_400)).records == 30)
        await outbox.close()
    }

    // What is the last of a boot has nothing after it that could show that it is missing.
    @Test("The last record of the latest boots is known over restarts, whether it was delivered or not")
    func lasts() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/outbox.db"
        for boot: UInt64 in 1...6 {
            let outbox = try await Outbox.open(path, rules: rules, now: now)
            let before = await outbox.status(at: now).lasts.positions
            #expect(before.map(\.boot) == Array((1..<boot).suffix(4)))
            var records = OutboxRestart.records(1...(10 + boot))
            for index in records.indices { records[index].position.boot = boot }
            await outbox.append(records, at: now)
            if boot % 2 == 0 {
                await outbox.setOnline(true)
                let offer = await outbox.next(100, now: .now)
                await outbox.acknowledge(offer.entries.map(\.id), at: now)
            }
            await outbox.close()
        }
        let outbox = try await Outbox.open(path, rules: rules, now: now)
        let lasts = await outbox.status(at: now).lasts.positions
        #expect(lasts == (3...6).map { RecordPosition(boot: $0, sequence: 10 + $0) })
        await outbox.close()
    }
}
