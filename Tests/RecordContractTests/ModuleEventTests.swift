import BeaconModel
import Testing

@testable import RecordContract

@Suite("Records of modules and remote receivers") struct ModuleEventTests {
    private let event = ModuleEvent(
        kind: .failed, time: Fixtures.noon, module: "door", port: "/dev/ttyUSB0", beacon: Fixtures.badge,
        state: "failed", error: "no answer", remedy: "unplug it")

    @Test("A module's failure is a record on its event topic, as worth keeping as an end")
    func failed() {
        var factory = Fixtures.factory()
        let record = factory.record(for: event, clockIsSynchronized: true)
        #expect(record.topic == "beacons/v1/mcgill/trottier/3/gw-3a/module/door/event")
        #expect(record.outboxRecord.priority == .ended)
        #expect(record.outboxRecord.position == RecordPosition(boot: 3, sequence: 1))
        #expect(
            String(decoding: record.encoded(historical: false), as: UTF8.self)
                == #"{"data":{"beacon":{"major":7,"minor":2603,"uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0"},"boot":3,"#
                + #""clock":"synchronized","error":"no answer","historical":false,"module":"door","#
                + #""place":{"beacon":{"major":1,"minor":2,"uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0"},"#
                + #""building":"trottier","floor":"3","gateway":"gw-3a","position":{"x":1.5,"y":2,"z":2.4},"#
                + #""room":"3060","site":"mcgill"},"port":"/dev/ttyUSB0","remedy":"unplug it","sequence":1,"#
                + #""state":"failed"},"datacontenttype":"application/json","id":"mcgill/trottier/3/gw-3a/3/1","#
                + #""source":"/mcgill/trottier/3/gw-3a","specversion":"1.0","time":"2020-11-15T12:00:00.000Z","#
                + #""type":"module.failed"}"#)
    }

    @Test("All records of a gateway are counted together: its own, its remote receivers' and its modules'")
    func sequence() {
        var factory = Fixtures.factory()
        let receiver = Place(site: "mcgill", building: "trottier", floor: "3", gateway: "gw-3a", ear: "kitchen")
        let records = [
            factory.record(for: Fixtures.event(.started), clockIsSynchronized: true),
            factory.record(for: Fixtures.event(.started), at: receiver, clockIsSynchronized: true),
            factory.record(for: event, clockIsSynchronized: true),
            factory.record(for: Fixtures.event(.ended), clockIsSynchronized: true),
        ]
        #expect(records.compactMap { $0?.sequence } == [1, 2, 3, 4])
    }

    @Test("A remote receiver's record has its place, its own counterpart and interactions, and the beacon's topic")
    func remoteReceiver() throws {
        var factory = Fixtures.factory()
        let receiver = Place(
            site: "mcgill", building: "trottier", floor: "3", gateway: "gw-3a", room: "Kitchen",
            position: .init(x: 1, y: 2, z: 2.25), ear: "kitchen")
        let records = [
            factory.record(for: Fixtures.event(.started), clockIsSynchronized: true),
            factory.record(for: Fixtures.event(.started), at: receiver, clockIsSynchronized: true),
        ]
        let own = try #require(records[0])
        let record = try #require(records[1])
        #expect(record.topic == own.topic)
        let text = String(decoding: record.encoded(historical: false), as: UTF8.self)
        #expect(
            text.contains(
                #""place":{"building":"trottier","ear":"kitchen","floor":"3","gateway":"gw-3a","#
                    + #""position":{"x":1,"y":2,"z":2.25},"room":"Kitchen","site":"mcgill"}"#), "\(text)")
        #expect(text.contains(#""counterpart":{"id":"mcgill/trottier/3/gw-3a/kitchen","kind":"gateway"}"#))
        #expect(text.contains(#""interaction":"mcgill/trottier/3/gw-3a/kitchen/3/i1""#))
        #expect(text.contains(#""id":"mcgill/trottier/3/gw-3a/3/2""#))
    }
}
