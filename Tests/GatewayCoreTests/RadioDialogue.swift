import Advertisement
import BeaconModel
import HCI
import ModuleDialogues
import Proximity
import RecordContract

@testable import GatewayCore

/// A dialogue with a `RadioCore` that has one adapter, hci0, and publishes no readings.
struct RadioDialogue {
    private var core: RadioCore
    var now = RadioTime(
        elapsed: .zero, wall: Timestamp(microseconds: 1_605_441_600_000_000), isSynchronized: true)

    static let adapter = Adapter(index: 0)
    /// A listed beacon, and the address from which it is advertised.
    static let badge = BeaconID(
        uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 3, minor: 1)
    static let address = BluetoothAddress(bits: 0xC011_2233_4401)

    init(keepsPresence: Bool = false, _ change: (inout Configuration) -> Void = { _ in }) throws {
        var configuration = try Configuration.parse(ConfigurationTests.minimal, path: "gateway.toml") { _ in [] }
        configuration.rules.readingsInterval = nil
        change(&configuration)
        core = RadioCore(
            configuration,
            audience: Audience(
                listedUUIDs: configuration.listedUUIDs, includesPhones: configuration.pseudonymSecret != nil),
            boot: 1, adapters: ["hci0"], keepsPresence: keepsPresence)
    }

    mutating func say(_ input: RadioInput) -> [RadioOutput] {
        var outputs: [RadioOutput] = []
        core.handle(input, now: now, into: &outputs)
        return outputs
    }

    mutating func wait(_ time: Duration) {
        now.elapsed += time
        now.wall = now.wall + time
    }

    /// The adapter's condition is as given, from now on.
    mutating func become(_ condition: RadioState.Condition, reason: RadioState.Reason? = nil) -> [RadioOutput] {
        say(.state(Self.state(condition, reason: reason), source: 0))
    }

    static func state(_ condition: RadioState.Condition, reason: RadioState.Reason? = nil) -> RadioState {
        var state = RadioState(adapter: adapter, path: .raw)
        state.mode = .legacy
        state.condition = condition
        state.reason = reason
        return state
    }

    /// One advertisement of each beacon is received, in one batch.
    mutating func hear(
        _ beacons: BeaconID..., address: BluetoothAddress = RadioDialogue.address
    ) -> [RadioOutput] {
        hear(beacons.map { IBeacon.advertisingData($0, measuredPower: -59) }, address: address)
    }

    /// Advertising data of one device are received, in one batch.
    mutating func hear(_ data: [[UInt8]], address: BluetoothAddress = RadioDialogue.address) -> [RadioOutput] {
        var batch = HCIPacketBatch()
        for data in data {
            batch.append(Self.packet(data, address: address), time: now.wall, adapter: Self.adapter)
        }
        return say(.packets(batch, source: 0))
    }

    /// An LE Advertising Report event, non-connectable, of a random address, at -60 dBm.
    private static func packet(_ data: [UInt8], address: BluetoothAddress) -> [UInt8] {
        let octets: [UInt8] = (0..<6).map { UInt8(truncatingIfNeeded: address.bits >> (8 * $0)) }
        let head: [UInt8] = [0x03, 0x01] + octets
        let report = head + [UInt8(data.count)] + data + [UInt8(bitPattern: -60)]
        return [0x04, 0x3E, UInt8(report.count + 2), 0x02, 0x01] + report
    }

    /// Nothing is received for some seconds.
    ///
    /// - Returns: the outputs of each second.
    mutating func fallSilent(for seconds: Int) -> [[RadioOutput]] {
        (0..<seconds).map { _ in
            wait(.seconds(1))
            return say(.silence(source: 0, at: now.wall, heardUntil: nil))
        }
    }

    /// A module of the inventory that advertises the badge.
    static func module(_ name: String = "door") -> InventoryEntry {
        InventoryEntry(
            name: name, module: .anyNew, configuration: BeaconConfiguration(beacon: badge, measuredPower: -59))
    }

    /// The module reports its condition.
    mutating func report(
        _ condition: ModuleStatus.Condition, address: BluetoothAddress? = nil
    ) -> [RadioOutput] {
        var status = ModuleStatus(entry: Self.module(), condition: condition)
        status.address = address
        return say(.module(status))
    }
}

extension [RadioOutput] {
    var records: [Record] { flatMap(\.records) }
    var signals: [SignalsMessage] {
        compactMap { if case .signals(let messages) = $0 { messages } else { nil } }.flatMap { $0 }
    }
    var deliveries: [Delivery] { compactMap { if case .delivery(let delivery) = $0 { delivery } else { nil } } }
    /// The records' JSON.
    var published: [String] { records.map { String(decoding: $0.encoded(historical: false), as: UTF8.self) } }
    var counts: [IngestCounts] { compactMap { if case .counts(let counts, _) = $0 { counts } else { nil } } }
    var notices: [RadioOutput.Notice] { compactMap { if case .notice(let notice) = $0 { notice } else { nil } } }
    var ownBeacons: [AdvertisingWatch.Event] {
        compactMap { if case .ownBeacons(let events) = $0 { events } else { nil } }.flatMap { $0 }
    }
    var phones: [ExchangeSighting] {
        compactMap { if case .phones(let phones) = $0 { phones } else { nil } }.flatMap { $0 }
    }
    /// Whether each suspicion against the adapter is certain.
    var suspicions: [Bool] { compactMap { if case .suspect(0, let isCertain) = $0 { isCertain } else { nil } } }
    var rescans: [Int] { compactMap { if case .rescan(let source) = $0 { source } else { nil } } }
    var outcomes: [CommandOutcome] { compactMap { if case .rescanned(let outcome) = $0 { outcome } else { nil } } }
    var hearing: [GatewayStatus.Hearing] {
        compactMap { if case .adapters(_, let hearing) = $0 { hearing } else { nil } }
    }
}
