import BeaconModel
import HCI
import Testing

@testable import GatewayCore

@Suite struct PhoneCodesTests {
    private var phones = PhoneCodes(apps: [.c19x])
    private var output = IngestOutput()

    private func report(
        _ address: UInt64 = 1, _ kind: AdvertisingReport.AddressKind = .random, after minutes: Int64 = 0
    ) -> AdvertisingReport {
        AdvertisingReport(
            time: Timestamp(microseconds: 1_600_000_000_000_000 + minutes * 60_000_000), adapter: Adapter(index: 0),
            address: BluetoothAddress(bits: address), addressKind: kind, rssi: RSSI(dBm: -60), isConnectable: true,
            isScanResponse: false, dataStatus: .complete)
    }

    private mutating func learn(_ code: UInt64) {
        let peer = ExchangePeer(app: .c19x, address: BluetoothAddress(bits: 1), isAddressPublic: false)
        phones.learn(.init(peer: peer, code: code, time: report().time))
    }

    private mutating func resolve(_ identity: AdvertisedIdentity, _ report: AdvertisingReport) -> AdvertisedIdentity {
        phones.resolve(identity, report, into: &output)
    }

    @Test("A phone is its app and its address until its code is known, and its code from then on")
    mutating func resolved() {
        #expect(resolve(.contactApp(.c19x), report()) == .contactApp(.c19x))
        learn(42)
        #expect(resolve(.contactApp(.c19x), report(after: 1)) == .contactUser(.c19x, 42))
        #expect(resolve(.contactApp(.c19x), report(2)) == .contactApp(.c19x))
        #expect(resolve(.contactApp(.c19x), report(1, .public)) == .contactApp(.c19x))
    }

    @Test("An address that comes back after more than 20 minutes of silence is a stranger's")
    mutating func forgotten() {
        learn(42)
        #expect(resolve(.contactApp(.c19x), report(after: 20)) == .contactUser(.c19x, 42))
        #expect(resolve(.contactApp(.c19x), report(after: 41)) == .contactApp(.c19x))
    }

    @Test("Sightings are told on for apps that are asked, and not more than 256 of a batch")
    mutating func sightings() {
        _ = resolve(.contactApp(.bleProximity), report())
        _ = resolve(.contactApp(.c19x), report(1, .anonymous))
        #expect(output.phones.isEmpty)
        for address in 1...300 { _ = resolve(.contactApp(.c19x), report(UInt64(address))) }
        #expect(output.phones.count == 256)
        output.removeAll()
        _ = resolve(.contactApp(.c19x), report())
        #expect(output.phones.count == 1)
    }

    @Test("Beacons, and phones whose advertisement has a code, stay what they are")
    mutating func others() {
        #expect(resolve(.contactUser(.further, 7), report()) == .contactUser(.further, 7))
        #expect(output.phones.isEmpty)
    }
}
