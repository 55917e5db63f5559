import BeaconModel
import HCI
import Testing

@Suite struct ExchangeSchedulerTests {
    private static let start = Timestamp(microseconds: 1_600_000_000_000_000)
    private static let adapter = Adapter(index: 2)
    private static let reading = ExchangeReading(code: 42, gaveOwnCode: true)

    private var scheduler = ExchangeScheduler(rules: ExchangeRules(apps: [.bleProximity]))

    private func peer(_ number: Int, app: ContactApp = .bleProximity) -> ExchangePeer {
        ExchangePeer(app: app, address: BluetoothAddress(bits: UInt64(number)), isAddressPublic: false)
    }

    private func time(_ seconds: Double) -> Timestamp { Self.start + .microseconds(Int64(seconds * 1_000_000)) }

    @discardableResult private mutating func hear(
        _ peer: ExchangePeer, _ rssi: Int8? = -60, at seconds: Double, times: Int = 2, isConnectable: Bool = true
    ) -> Bool {
        var mayStart = false
        for _ in 0..<times {
            mayStart = scheduler.hear(
                ExchangeSighting(
                    peer: peer, adapter: Self.adapter, isConnectable: isConnectable,
                    rssi: rssi.flatMap(RSSI.init(dBm:)), time: time(seconds)))
        }
        return mayStart
    }

    @Test("Nobody is connected to unless the app is named")
    mutating func optIn() {
        scheduler = ExchangeScheduler(rules: ExchangeRules())
        #expect(!hear(peer(1), at: 0))
        #expect(scheduler.start(at: time(0)) == nil)
        #expect(scheduler.candidateCount == 0)
    }

    @Test("Apps that give nothing by a connection can't be named", arguments: [ContactApp.further, .herald])
    func useless(app: ContactApp) { #expect(ExchangeRules(apps: [app, .c19x]).apps == [.c19x]) }

    @Test("An address is worth a try when it was heard twice, strongly enough, as connectable")
    mutating func twice() {
        #expect(!hear(peer(1), at: 0, times: 1))
        #expect(scheduler.start(at: time(0)) == nil)
        #expect(hear(peer(1), at: 1, times: 1))
        #expect(scheduler.start(at: time(1)) == ExchangeAttempt(peer: peer(1), adapter: Self.adapter))
    }

    @Test("The weak, those without RSSI and those who can't be connected to are left alone")
    mutating func unsuitable() {
        #expect(!hear(peer(1), -81, at: 0))
        #expect(!hear(peer(2), nil, at: 0))
        #expect(!hear(peer(3), at: 0, isConnectable: false))
        #expect(scheduler.start(at: time(0)) == nil)
        #expect(hear(peer(4), -80, at: 0))
    }

    @Test("Two sightings with a long silence between them count as one, and who fell silent isn't tried")
    mutating func stale() {
        hear(peer(1), at: 0, times: 1)
        #expect(!hear(peer(1), at: 10.1, times: 1))
        #expect(hear(peer(1), at: 11, times: 1))
        #expect(scheduler.start(at: time(21.1)) == nil)
    }

    @Test("The strongest comes first, by its latest sighting")
    mutating func strongest() {
        hear(peer(1), -50, at: 0)
        hear(peer(2), -60, at: 0)
        hear(peer(3), -70, at: 0)
        hear(peer(1), -75, at: 1, times: 1)
        #expect(scheduler.start(at: time(1))?.peer == peer(2))
    }

    @Test("Not more are under way than allowed")
    mutating func parallel() {
        for number in 1...3 { hear(peer(number), at: 0) }
        let first = scheduler.start(at: time(0))?.peer
        #expect(first != nil)
        #expect(scheduler.start(at: time(0)) == nil)
        scheduler.finish(peer(99), .success(Self.reading), at: time(0))
        #expect(scheduler.start(at: time(0)) == nil, "only what is under way can finish")
        #expect(first.map { scheduler.finish($0, .failure(.notReached), at: time(2)) } != nil)
        #expect(scheduler.start(at: time(2)) != nil)
    }

    @Test("Two attempts don't follow each other at once")
    mutating func spacing() {
        scheduler = ExchangeScheduler(rules: ExchangeRules(apps: [.bleProximity], parallel: 2))
        for number in 1...2 { hear(peer(number), at: 0) }
        #expect(scheduler.start(at: time(0)) != nil)
        #expect(scheduler.start(at: time(1.9)) == nil)
        #expect(scheduler.start(at: time(2)) != nil)
    }

    @Test("Not more are started in any minute than allowed, whatever comes of them")
    mutating func perMinute() {
        for number in 1...100 { hear(peer(number), at: 0) }
        // In tenths of a second.
        var started: [Int] = []
        for tick in 0..<1300 {
            let seconds = Double(tick) / 10
            for number in 1...100 { hear(peer(number), at: seconds, times: 1) }
            if let peer = scheduler.start(at: time(seconds))?.peer {
                started.append(tick)
                scheduler.finish(peer, .success(Self.reading), at: time(seconds))
            }
        }
        #expect(started.prefix(13).map { $0 < 600 } == [Bool](repeating: true, count: 12) + [false])
        for (index, tick) in started.enumerated().dropFirst(12) { #expect(tick - started[index - 12] >= 600) }
        #expect(started.count == 12 + 12 + 5, "every two seconds from 0, 60 and 120 s on")
    }

    @Test("After a success the address is left alone for 15 minutes, and its code is known meanwhile")
    mutating func rotation() {
        hear(peer(1), at: 0)
        #expect(scheduler.start(at: time(0))?.peer == peer(1))
        scheduler.finish(peer(1), .success(Self.reading), at: time(1))
        for minute in 1...15 {
            #expect(!hear(peer(1), at: Double(minute) * 60))
            #expect(scheduler.code(for: peer(1), at: time(Double(minute) * 60)) == 42)
        }
        #expect(scheduler.start(at: time(900)) == nil)
        #expect(hear(peer(1), at: 901))
        #expect(scheduler.start(at: time(901))?.peer == peer(1))
    }

    @Test("After a failure it waits 30 s, and twice as long each time up to 15 minutes")
    mutating func backoff() {
        var now = 0.0
        var waits: [Double] = []
        for _ in 0..<9 {
            let begun = now
            while !hear(peer(1), at: now) { now += 1 }
            waits.append(now - begun)
            #expect(scheduler.start(at: time(now))?.peer == peer(1))
            scheduler.finish(peer(1), .failure(.notReached), at: time(now))
        }
        #expect(waits == [0, 30, 60, 120, 240, 480, 900, 900, 900])
        #expect(scheduler.counts.started == 9)
        #expect(scheduler.counts.failed == 9)
    }

    @Test("A code is forgotten when its address wasn't heard for 20 minutes, and lives on while it is")
    mutating func lifetime() {
        hear(peer(1), at: 0)
        _ = scheduler.start(at: time(0))
        scheduler.finish(peer(1), .success(Self.reading), at: time(0))
        hear(peer(1), -95, at: 1200, isConnectable: false)
        #expect(scheduler.code(for: peer(1), at: time(2400)) == 42)
        #expect(scheduler.code(for: peer(1), at: time(2401)) == nil)
        hear(peer(1), at: 2401, times: 1)
        #expect(scheduler.code(for: peer(1), at: time(2401)) == nil, "somebody else may have the address")
    }

    @Test("The same number as a public and as a random address, or with another app, is somebody else")
    mutating func identity() {
        hear(peer(1), at: 0)
        _ = scheduler.start(at: time(0))
        scheduler.finish(peer(1), .success(Self.reading), at: time(0))
        var other = peer(1)
        other.isAddressPublic = true
        #expect(scheduler.code(for: other, at: time(0)) == nil)
        #expect(scheduler.code(for: peer(1, app: .c19x), at: time(0)) == nil)
    }

    @Test("A flood of made-up addresses takes away no code, and starts nothing twice within the rotation")
    mutating func flood() {
        hear(peer(1), at: 0)
        _ = scheduler.start(at: time(0))
        scheduler.finish(peer(1), .success(Self.reading), at: time(0))
        for number in 1000..<101_000 { hear(peer(number), at: 1, times: 1) }
        #expect(scheduler.candidateCount == 1024)
        #expect(scheduler.code(for: peer(1), at: time(2)) == 42)
        #expect(!hear(peer(1), at: 2))
        #expect(scheduler.start(at: time(2)) == nil)
    }

    @Test("A clock that is set back blocks nobody")
    mutating func clockSetBack() {
        scheduler = ExchangeScheduler(rules: ExchangeRules(apps: [.bleProximity], perMinute: 1))
        hear(peer(1), at: 86_400)
        #expect(scheduler.start(at: time(86_400))?.peer == peer(1))
        scheduler.finish(peer(1), .failure(.notReached), at: time(86_400))
        hear(peer(1), at: 0)
        #expect(scheduler.start(at: time(0))?.peer == peer(1))
    }

    @Test("Limits out of range are clamped")
    func clamped() {
        #expect(ExchangeRules(parallel: 0, perMinute: 0).parallel == 1)
        #expect(ExchangeRules(parallel: 100, perMinute: 100).parallel == 4)
        #expect(ExchangeRules(parallel: 0, perMinute: 0).perMinute == 1)
        #expect(ExchangeRules(parallel: 100, perMinute: 100).perMinute == 60)
    }
}
