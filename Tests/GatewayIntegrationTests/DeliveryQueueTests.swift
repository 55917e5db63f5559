import BeaconModel
import RecordContract
import Testing

@testable import Gateway
@testable import GatewayCore
@testable import GatewayDaemon

@Suite("DeliveryQueue", .timeLimit(.minutes(10))) struct DeliveryQueueTests {
    private func delivery(_ topic: String) -> Delivery { Delivery(states: [(topic, [])]) }

    @Test("What collected while the taker was busy is taken at once, in its order")
    func collects() async {
        let queue = DeliveryQueue()
        for topic in ["a", "b", "c"] { await queue.add(delivery(topic)) }
        #expect(await queue.take().flatMap(\.states).map(\.topic) == ["a", "b", "c"])
    }

    @Test("A taker waits for the first delivery, and learns of the end")
    func waits() async {
        let queue = DeliveryQueue()
        async let taken = queue.take()
        await queue.add(delivery("a"))
        #expect(await taken.count == 1)
        async let end = queue.take()
        await queue.finish()
        #expect(await end.isEmpty)
    }

    @Test("An empty delivery is none")
    func empty() async {
        let queue = DeliveryQueue()
        await queue.add(Delivery())
        await queue.add(delivery("a"))
        #expect(await queue.take().count == 1)
    }

    @Test("Records that nobody takes hold up who adds more, and not for ever")
    func bounded() async {
        let queue = DeliveryQueue()
        var factory = RecordFactory(
            place: Configuration.anywhere.place, boot: 1, topics: Configuration.anywhere.topics, pseudonymizer: nil)
        let interaction = Interaction(
            number: 1, continues: nil, subject: .beacon(BeaconID(uuid: ProximityUUID(bits: 1), major: 1, minor: 1)),
            startedAt: .epoch, lastSeenAt: .epoch, ending: nil, samples: 1, rssi: nil, distance: nil,
            proximity: .unknown, expectedMinutesWithin: .init(threeMetres: 0, sixMetres: 0),
            reception: .init(interval: nil, heardShare: nil, silence: .seconds(1)))
        let records = (0..<10_000).compactMap { _ in
            factory.record(
                for: InteractionEvent(kind: .updated, time: .epoch, interaction: interaction),
                clockIsSynchronized: true)
        }
        await queue.add(Delivery(records: records))
        let adding = Task { await queue.add(delivery("late")) }
        #expect(await queue.take().count == 1)
        await adding.value
        #expect(await queue.take().flatMap(\.states).map(\.topic) == ["late"])
    }
}
