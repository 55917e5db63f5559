import BeaconModel
import ModuleDialogues
import Testing

@testable import GatewayCore

@Suite struct PlannedChangeTests {
    private static let wanted = BeaconConfiguration(
        beacon: BeaconID(uuid: ProximityUUID(bits: 1), major: 2, minor: 3), measuredPower: -59)

    private func change(
        _ applied: AppliedConfiguration, known: [ConfigurationFingerprint: BeaconConfiguration] = [:]
    ) -> PlannedChange {
        PlannedChange(applied, wanted: Self.wanted, known: known)
    }

    @Test("What a module holds decides what has to be done")
    func kinds() {
        var other = Self.wanted
        other.beacon.minor = 9
        #expect(change(.none) == .set)
        #expect(change(.unknown) == .unknownBefore)
        #expect(change(.marked(ConfigurationFingerprint(Self.wanted))) == .sendAgain)
        #expect(change(.marked(ConfigurationFingerprint(other))) == .unknownBefore)
        #expect(
            change(.marked(ConfigurationFingerprint(other)), known: [ConfigurationFingerprint(other): other])
                == .change(from: other))
        #expect(change(.readBack(Self.wanted)) == PlannedChange.none)
        #expect(change(.readBack(other)) == .change(from: other))
        #expect(change(.readBack(nil)) == .set)
        #expect(PlannedChange(.none, wanted: nil, known: [:]) == .notInInventory)
    }

    @Test("A transmit power that nobody asked for is no difference")
    func transmitPower() {
        var found = Self.wanted
        found.transmitPower = 2
        #expect(change(.readBack(found)) == PlannedChange.none)
    }

    @Test("Only what differs is shown")
    func details() {
        var before = Self.wanted
        before.beacon.minor = 4
        before.measuredPower = -62
        #expect(
            PlannedChange.change(from: before).details(wanted: Self.wanted) == [
                "minor           4 -> 3", "measured-power  -62 dBm -> -59 dBm",
            ])
        #expect(
            PlannedChange.set.details(wanted: Self.wanted) == [
                "advertises nothing -> 00000000-0000-0000-0000-000000000001/2/3, -59 dBm, every 100 ms"
            ])
    }
}
