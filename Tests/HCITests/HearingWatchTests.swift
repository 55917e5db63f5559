import BeaconModel
import TestValues
import Testing

@testable import HCI

@Suite("HearingWatch")
struct HearingWatchTests {
    private var watch = HearingWatch()
    private let start = Timestamp(microseconds: 1_600_000_000_000_000)
    private static let first = Adapter(index: 0)
    private static let second = Adapter(index: 1)
    private let silence: Duration = .seconds(6)

    private func report(
        _ address: UInt64, at seconds: Double, by adapter: Adapter = first, rssi: Int8 = -60
    ) -> AdvertisingReport {
        AdvertisingReport(
            time: start + .seconds(seconds), adapter: adapter, address: BluetoothAddress(bits: address),
            addressKind: .random, rssi: RSSI(dBm: rssi), isConnectable: false, isScanResponse: false)
    }

    /// Each address is heard ten times a second.
    private mutating func hear(
        _ addresses: ClosedRange<UInt64>, for seconds: Int, by adapter: Adapter = first, canary: UInt64? = nil,
        rssi: (Double) -> Int8 = { _ in -60 }
    ) {
        for tick in 0..<(seconds * 10) {
            let time = Double(tick) / 10
            for address in addresses {
                watch.observe(report(address, at: time, by: adapter, rssi: rssi(time)), isCanary: address == canary)
            }
        }
    }

    @Test("Who has heard nobody yet isn't suspected of anything")
    func empty() {
        #expect(watch.suspicion(of: Self.first, silentFor: .seconds(1000)) == nil)
    }

    @Test("An own beacon that was heard until the silence began makes deafness certain, after six seconds")
    mutating func canary() {
        hear(1...1, for: 5, canary: 1)
        #expect(watch.suspicion(of: Self.first, silentFor: .seconds(5)) == nil)
        #expect(watch.suspicion(of: Self.first, silentFor: silence) == .ownBeacon)
    }

    @Test("An own beacon that fell silent before the others did explains nothing")
    mutating func deadCanary() {
        hear(1...1, for: 5, canary: 1)
        watch.observe(report(2, at: 20), isCanary: false)
        #expect(watch.suspicion(of: Self.first, silentFor: silence) == nil)
    }

    @Test("One or two strangers who fall silent may have left")
    mutating func strangersLeave() {
        hear(1...2, for: 60)
        #expect(watch.suspicion(of: Self.first, silentFor: silence) == nil)
    }

    @Test("Three strangers who fall silent in one moment make deafness likely")
    mutating func strangersVanish() {
        hear(1...3, for: 60)
        #expect(watch.suspicion(of: Self.first, silentFor: silence) == .likely)
    }

    @Test("Strangers who grew weaker before they fell silent have walked away")
    mutating func strangersWalkAway() {
        hear(1...5, for: 60) { $0 < 50 ? -60 : Int8(-60 - 3 * ($0 - 50)) }
        #expect(watch.suspicion(of: Self.first, silentFor: silence) == nil)
    }

    @Test("Strangers who have been there for less than half a minute are no measure")
    mutating func passersBy() {
        hear(1...9, for: 20)
        #expect(watch.suspicion(of: Self.first, silentFor: silence) == nil)
    }

    @Test("When another adapter still hears what this one heard, this one is deaf")
    mutating func otherAdapter() {
        hear(1...2, for: 60)
        hear(1...2, for: 70, by: Self.second)
        #expect(watch.suspicion(of: Self.first, silentFor: silence) == .otherAdapter)
        #expect(watch.suspicion(of: Self.second, silentFor: silence) == nil)
    }

    @Test("Somebody who walks from one adapter to the other makes neither deaf")
    mutating func walksOver() {
        hear(1...3, for: 60) { $0 < 50 ? -60 : Int8(-60 - 3 * ($0 - 50)) }
        hear(1...3, for: 70, by: Self.second)
        #expect(watch.suspicion(of: Self.first, silentFor: silence) == nil)
    }

    @Test("One who is heard there and not here may have gone there")
    mutating func oneElsewhere() {
        hear(1...1, for: 60)
        hear(1...1, for: 70, by: Self.second)
        #expect(watch.suspicion(of: Self.first, silentFor: silence) == .likely)
    }

    @Test("An own beacon that advertises rarely is missed later")
    mutating func slowCanary() {
        for count in 0..<10 {
            watch.observe(report(1, at: Double(count) * 10.24), isCanary: true)
        }
        #expect(watch.suspicion(of: Self.first, silentFor: .seconds(20)) == nil)
        #expect(watch.suspicion(of: Self.first, silentFor: .seconds(40)) == .ownBeacon)
    }

    @Test("A clock that was set makes what was heard before no measure", arguments: [-3600.0, 2_592_000])
    mutating func clockSet(step: Double) {
        hear(1...1, for: 5, canary: 1)
        watch.observe(report(2, at: 5 + step), isCanary: false)
        #expect(watch.suspicion(of: Self.first, silentFor: silence) == nil)
    }

    @Test("When both adapters fall silent together, neither accuses the other")
    mutating func bothSilent() {
        hear(1...1, for: 60)
        hear(1...1, for: 60, by: Self.second)
        #expect(watch.suspicion(of: Self.first, silentFor: silence) == nil)
    }

    @Test("A flood of invented addresses doesn't push out who is known")
    mutating func flood() {
        hear(1...3, for: 60)
        var generator = SeededGenerator("invented addresses")
        for tick in 0..<30_000 {
            let time = 60 + Double(tick) / 30_000
            watch.observe(report(generator.next() >> 16, at: time), isCanary: false)
            if tick % 3000 == 0 {
                for address in 1...3 as ClosedRange<UInt64> {
                    watch.observe(report(address, at: time), isCanary: false)
                }
            }
        }
        #expect(watch.suspicion(of: Self.first, silentFor: silence) == .likely, "\(generator.comment)")
    }

    @Test("What was forgotten is no measure any more")
    mutating func forgets() {
        hear(1...1, for: 5, canary: 1)
        watch.forget(Self.first)
        #expect(watch.suspicion(of: Self.first, silentFor: silence) == nil)
    }
}
