import BeaconModel
import Testing

@testable import ModuleDialogues

@Suite struct AdvertisingWatchTests {
    private static let beacon = BeaconID(uuid: ProximityUUID(bits: 1), major: 1, minor: 1)
    private static let own = BluetoothAddress(bits: 1)
    private static let start = Timestamp(microseconds: 1_600_000_000_000_000)
    private var watch = AdvertisingWatch([beacon: .appleIBeacon])

    private mutating func hear(
        _ seconds: Int, from address: BluetoothAddress = own, power: Int8 = -59, rssi: Int8 = -50
    ) -> [AdvertisingWatch.Event] {
        watch.observe(
            Self.beacon, measuredPower: power, address: address, rssi: RSSI(dBm: rssi),
            at: Self.start + .seconds(seconds))
    }

    private static func reception(_ address: BluetoothAddress = own, power: Int8 = -59, count: Int = 1)
        -> AdvertisingWatch.Event
    {
        .audible(
            .init(beacon: beacon, address: address, measuredPower: power, rssi: RSSI(dBm: -50), count: count))
    }

    @Test("A beacon becomes audible, and that is told again every 2 s, however often it is heard")
    mutating func audible() {
        #expect(hear(0) == [.listening, Self.reception()])
        #expect(hear(1) == [])
        #expect(watch.receptions.first?.count == 2)
        #expect(hear(2) == [Self.reception(count: 3)])
        #expect(hear(3) == [])
    }

    @Test("It is silent after 10 s in which others were heard, and audible again when it comes back")
    mutating func silent() {
        _ = hear(0)
        _ = watch.heardSomething(at: Self.start + .seconds(9))
        #expect(watch.advance(to: Self.start + .seconds(10)) == [])
        _ = watch.heardSomething(at: Self.start + .seconds(11))
        #expect(watch.advance(to: Self.start + .seconds(11)) == [.silent(Self.beacon, address: Self.own)])
        #expect(hear(12) == [Self.reception()])
    }

    @Test("When nothing at all is heard for 10 s nobody is silent: the receiver is deaf")
    mutating func deaf() {
        _ = hear(0)
        #expect(watch.advance(to: Self.start + .seconds(11)) == [.deaf])
        #expect(watch.advance(to: Self.start + .seconds(60)) == [])
        #expect(hear(61) == [.listening, Self.reception()])
    }

    @Test("The receiver's own word that it is deaf counts at once")
    mutating func becomesDeaf() {
        _ = hear(0)
        #expect(watch.becomeDeaf() == [.deaf])
        #expect(watch.becomeDeaf() == [])
    }

    @Test("Another address, and another measured power, are news")
    mutating func news() {
        _ = hear(0)
        let other = BluetoothAddress(bits: 2)
        #expect(hear(1, from: other) == [Self.reception(other)])
        #expect(hear(2, power: -70) == [Self.reception(power: -70, count: 2)])
    }

    @Test("Other beacons are only a sign that the receiver hears")
    mutating func others() {
        let stranger = BeaconID(uuid: ProximityUUID(bits: 9), major: 1, minor: 1)
        let events = watch.observe(
            stranger, measuredPower: -59, address: Self.own, rssi: nil, at: Self.start)
        #expect(events == [.listening])
        #expect(watch.receptions == [])
    }

    @Test("The RSSI is the median of the latest 15")
    mutating func median() {
        for second in 0..<20 { _ = hear(second, rssi: second < 10 ? -90 : -40) }
        #expect(watch.receptions.first?.rssi == RSSI(dBm: -40))
    }

    @Test("A clock that is set back makes the receiver deaf for a moment, instead of keeping the dead alive")
    mutating func clockSetBack() {
        _ = hear(3600)
        #expect(hear(0) == [.deaf, .listening, Self.reception()])
        _ = watch.heardSomething(at: Self.start + .seconds(11))
        #expect(watch.advance(to: Self.start + .seconds(11)) == [.silent(Self.beacon, address: Self.own)])
    }

    @Test("A slow beacon has 40 intervals to be heard, the quickest 10 s")
    func patience() throws {
        #expect(AdvertisingWatch.silentAfter(.appleIBeacon) == .seconds(10))
        #expect(AdvertisingWatch.silentAfter(try #require(AdvertisingInterval(.seconds(2)))) == .seconds(80))
    }

    @Test("What isn't listened for any more is forgotten")
    mutating func relisten() {
        _ = hear(0)
        #expect(watch.listen(for: [:]) == [.silent(Self.beacon, address: Self.own)])
        #expect(hear(1) == [])
        #expect(watch.receptions == [])
    }

    @Test("Copies that were there before it don't keep a module from being heard")
    mutating func copiesFirst() {
        for number in UInt64(2)..<200 { _ = hear(0, from: BluetoothAddress(bits: number)) }
        #expect(hear(1) == [])
        #expect(watch.listen(for: [Self.beacon: .appleIBeacon], modules: [Self.beacon: Self.own]) == [])
        #expect(hear(2) == [Self.reception()])
        #expect(hear(2, from: BluetoothAddress(bits: 1000)) == [])
    }
}
