import BeaconModel
import ModuleDialogues
import Testing

@testable import GatewayCore

@Suite struct ProvisioningTimesTests {
    private var times = ProvisioningTimes()
    private let start = ContinuousClock.Instant.now

    private mutating func say(
        _ condition: ModuleStatus.Condition, of name: String = "door", after seconds: Int
    ) -> (since: ContinuousClock.Instant, outcome: String)? {
        let entry = InventoryEntry(
            name: name, module: .port("/dev/ttyUSB0"),
            configuration: BeaconConfiguration(
                beacon: RemoteReceiverPayloads.beacon, measuredPower: -59, interval: .appleIBeacon, transmitPower: nil))
        return times.update(ModuleStatus(entry: entry, condition: condition), at: start + .seconds(seconds))
    }

    @Test("A provisioning lasts from the first word of it until the module is in another state")
    mutating func duration() throws {
        #expect(say(.provisioning, after: 1) == nil)
        #expect(say(.provisioning, after: 5) == nil)
        let end = say(.unverified, after: 9)
        let ended = try #require(end)
        #expect(ended.since == start + .seconds(1))
        #expect(ended.outcome == "provisioned")
        // That it is heard as well is no other provisioning.
        #expect(say(.advertising, after: 12) == nil)
    }

    @Test(
        "How it ended is said",
        arguments: [
            (ModuleStatus.Condition.failed, "failed"), (.absent, "unplugged"), (.notHeard, "provisioned"),
        ])
    mutating func outcomes(condition: ModuleStatus.Condition, outcome: String) {
        _ = say(.provisioning, after: 0)
        #expect(say(condition, after: 1)?.outcome == outcome)
    }

    @Test("Modules are provisioned beside each other")
    mutating func several() {
        _ = say(.provisioning, of: "door", after: 0)
        _ = say(.provisioning, of: "hall", after: 3)
        #expect(say(.advertising, of: "hall", after: 4)?.since == start + .seconds(3))
        #expect(say(.advertising, of: "door", after: 5)?.since == start)
    }
}
