import BeaconModel
import CMosquitto
import Testing

@testable import MQTTBridge
@testable import Publishing
@testable import RecordContractTests

@Suite("BrokerFailover") struct BrokerFailoverTests {
    private static let now = Fixtures.noon
    private static let first = BrokerEndpoint(host: "first", port: 1883)
    private static let second = BrokerEndpoint(host: "second", port: 1883)

    private func failover(
        _ endpoints: [BrokerEndpoint] = [first], choice: BrokerConfiguration.VersionChoice = .automatic,
        memory: [KnownBroker] = []
    ) -> BrokerFailover {
        BrokerFailover(endpoints: endpoints, choice: choice, memory: memory, now: Self.now)
    }

    private func expectVersion(
        _ expected: MQTTVersion, of failover: inout BrokerFailover, at time: Timestamp,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let version = failover.version(at: time)
        #expect(version == expected, sourceLocation: sourceLocation)
    }

    private func error(_ cause: MQTTError.Cause) -> MQTTError { MQTTError(broker: "first:1883", cause: cause) }

    @Test(
        "A broker that refuses MQTT 5 is tried with 3.1.1 at once, also if it spoke MQTT 5 before",
        arguments: [MQTTError.Cause.refused(0x84), .refused(1)])
    func fallback(_ cause: MQTTError.Cause) {
        var failover = failover()
        expectVersion(.five, of: &failover, at: Self.now)
        let waits1 = failover.failed(error(cause), wasConnected: false)
        #expect(!waits1)
        expectVersion(.threeOneOne, of: &failover, at: Self.now)
        failover = self.failover(memory: [.init(broker: "first:1883", notedAt: Self.now, version: .five)])
        expectVersion(.five, of: &failover, at: Self.now)
        let waits = failover.failed(error(cause), wasConnected: false)
        #expect(!waits)
        expectVersion(.threeOneOne, of: &failover, at: Self.now)
        let isNews = failover.connected(at: Self.now)
        #expect(isNews)
        #expect(failover.memory == [.init(broker: "first:1883", notedAt: Self.now, version: .threeOneOne)])
    }

    /// Lets MQTT 5 end without a word, as often as it is waited after that.
    private func endSilently(_ failover: inout BrokerFailover, times: Int) {
        for time in 1...times {
            expectVersion(.five, of: &failover, at: Self.now)
            let waits = failover.failed(error(.closed), wasConnected: false)
            #expect(waits, "\(time)")
        }
    }

    @Test(
        "A broker that never spoke MQTT 5 is tried with 3.1.1 after three connections in a row that end without a word")
    func silence() {
        var failover = failover()
        endSilently(&failover, times: 2)
        expectVersion(.five, of: &failover, at: Self.now)
        _ = failover.failed(error(.system(111)), wasConnected: false)
        endSilently(&failover, times: 2)
        expectVersion(.five, of: &failover, at: Self.now)
        let waits = failover.failed(error(.closed), wasConnected: false)
        #expect(!waits)
        expectVersion(.threeOneOne, of: &failover, at: Self.now)
    }

    @Test("Nothing is learnt when 3.1.1 ends without a word too")
    func silenceOfBoth() {
        var failover = failover()
        for _ in 1...2 {
            endSilently(&failover, times: 2)
            _ = failover.version(at: Self.now)
            _ = failover.failed(error(.closed), wasConnected: false)
            expectVersion(.threeOneOne, of: &failover, at: Self.now)
            let waits = failover.failed(error(.closed), wasConnected: false)
            #expect(waits)
            #expect(failover.memory.isEmpty)
        }
    }

    @Test(
        "A broker that has accepted MQTT 5 is never given up to 3.1.1 by silence, and is remembered for longer than a day"
    )
    func steadfast() {
        var failover = failover()
        _ = failover.version(at: Self.now)
        let isNews = failover.connected(at: Self.now)
        #expect(isNews)
        _ = failover.failed(error(.closed), wasConnected: true)
        endSilently(&failover, times: 10)
        var later = BrokerFailover(
            endpoints: [Self.first], choice: .automatic, memory: failover.memory, now: Self.now + .seconds(1_000_000))
        endSilently(&later, times: 10)
        _ = later.version(at: Self.now)
        let isOld = later.connected(at: Self.now)
        #expect(!isOld)
    }

    @Test(
        "A broker that was known by 3.1.1 and accepts MQTT 5 later is known by that, and one that refuses 3.1.1 is tried anew"
    )
    func upgraded() {
        var failover = failover(memory: [.init(broker: "first:1883", notedAt: Self.now)])
        expectVersion(.threeOneOne, of: &failover, at: Self.now)
        _ = failover.failed(error(.refused(1)), wasConnected: false)
        expectVersion(.five, of: &failover, at: Self.now)
        _ = failover.connected(at: Self.now)
        #expect(failover.memory == [.init(broker: "first:1883", notedAt: Self.now, version: .five)])
    }

    @Test("What a broker speaks is remembered once it has accepted, for a day")
    func memory() {
        var failover = failover()
        _ = failover.version(at: Self.now)
        _ = failover.failed(error(.refused(1)), wasConnected: false)
        _ = failover.version(at: Self.now)
        let isNews = failover.connected(at: Self.now)
        #expect(isNews)
        #expect(failover.memory == [.init(broker: "first:1883", notedAt: Self.now)])
        let waits2 = failover.failed(nil, wasConnected: true)
        #expect(waits2)
        expectVersion(.threeOneOne, of: &failover, at: Self.now + .seconds(3600))
        expectVersion(.five, of: &failover, at: Self.now + .seconds(24 * 3600))
    }

    @Test("What was remembered by another clock, or too long ago, is found out again")
    func strangeMemory() {
        for notedAt in [Self.now + .seconds(1), Self.now + .seconds(-24 * 3600)] {
            var failover = failover(memory: [.init(broker: "first:1883", notedAt: notedAt)])
            expectVersion(.five, of: &failover, at: Self.now)
        }
        var failover = failover(memory: [.init(broker: "first:1883", notedAt: Self.now)])
        expectVersion(.threeOneOne, of: &failover, at: Self.now)
    }

    @Test("A broker that isn't there isn't blamed on the version, and one that refuses both is waited for")
    func unreachable() {
        var failover = failover()
        _ = failover.version(at: Self.now)
        let waits3 = failover.failed(error(.system(111)), wasConnected: false)
        #expect(waits3)
        expectVersion(.five, of: &failover, at: Self.now)
        let waits4 = failover.failed(error(.refused(1)), wasConnected: false)
        #expect(!waits4)
        expectVersion(.threeOneOne, of: &failover, at: Self.now)
        let waits5 = failover.failed(error(.refused(1)), wasConnected: false)
        #expect(waits5)
        expectVersion(.five, of: &failover, at: Self.now)
    }

    @Test("A configured version is the only one that is tried", arguments: [MQTTVersion.five, .threeOneOne])
    func configured(_ version: MQTTVersion) {
        var failover = failover(choice: version == .five ? .five : .threeOneOne)
        expectVersion(version, of: &failover, at: Self.now)
        let waits6 = failover.failed(error(.closed), wasConnected: false)
        #expect(waits6)
        expectVersion(version, of: &failover, at: Self.now)
    }

    @Test("The next broker is tried at once; it is waited when all have failed")
    func order() {
        var failover = failover([Self.first, Self.second], choice: .threeOneOne)
        #expect(failover.endpoint == Self.first)
        let waits7 = failover.failed(error(.timedOut), wasConnected: false)
        #expect(!waits7)
        #expect(failover.endpoint == Self.second)
        let waits8 = failover.failed(error(.timedOut), wasConnected: false)
        #expect(waits8)
        #expect(failover.endpoint == Self.first)
    }

    @Test("A broker whose connection breaks is tried again before another, and the preferred one can be returned to")
    func staying() {
        var failover = failover([Self.first, Self.second], choice: .threeOneOne)
        _ = failover.failed(error(.timedOut), wasConnected: false)
        let waits9 = failover.failed(error(.timedOut), wasConnected: true)
        #expect(waits9)
        #expect(failover.endpoint == Self.second)
        #expect(!failover.isPreferred)
        failover.prefer()
        #expect(failover.endpoint == Self.first)
    }

    @Test("A broker that sent a packet which is no MQTT is spoken to by 3.1.1 for a day, whatever it spoke before")
    func malformed() {
        var failover = failover()
        _ = failover.version(at: Self.now)
        _ = failover.connected(at: Self.now)
        let waits = failover.failed(error(.library(.malformedPacket)), wasConnected: true)
        #expect(waits)
        expectVersion(.threeOneOne, of: &failover, at: Self.now)
        // Neither closing it nor refusing the version brings MQTT 5 back.
        _ = failover.failed(error(.closed), wasConnected: false)
        expectVersion(.threeOneOne, of: &failover, at: Self.now)
        _ = failover.failed(error(.refused(1)), wasConnected: false)
        expectVersion(.threeOneOne, of: &failover, at: Self.now + .seconds(80_000))
        expectVersion(.five, of: &failover, at: Self.now + .seconds(90_000))
    }

    // A preferred broker was tried by MQTT 5 again every five minutes, and each time the memory of what it sent was gone.
    @Test func `A preferred broker that sent such a packet when it was tried is tried by 3.1.1 for a day`() {
        var failover = failover()
        #expect(failover.probeVersion(at: Self.now) == nil)
        failover.probeFailed(Self.first, error(.closed), at: Self.now)
        #expect(failover.probeVersion(at: Self.now) == nil)
        failover.probeFailed(Self.second, error(.library(.malformedPacket)), at: Self.now)
        #expect(failover.probeVersion(at: Self.now) == nil)
        failover.probeFailed(Self.first, error(.library(.malformedPacket)), at: Self.now)
        #expect(failover.probeVersion(at: Self.now + .seconds(80_000)) == .threeOneOne)
        #expect(failover.probeVersion(at: Self.now + .seconds(90_000)) == nil)
        expectVersion(.threeOneOne, of: &failover, at: Self.now)
    }
}
