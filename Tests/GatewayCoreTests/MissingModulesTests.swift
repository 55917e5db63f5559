import BeaconModel
import ModuleDialogues
import Testing

@testable import GatewayCore

@Suite struct MissingModulesTests {
    private var missing = MissingModules()

    private mutating func say(
        _ condition: ModuleStatus.Condition, of module: ModuleSelector = .usbSerial("A1"), isSearching: Bool
    ) -> Bool {
        let entry = InventoryEntry(
            name: "door", module: module,
            configuration: BeaconConfiguration(
                beacon: RemoteReceiverPayloads.beacon, measuredPower: -59, interval: .appleIBeacon, transmitPower: nil))
        return missing.update(ModuleStatus(entry: entry, condition: condition), isSearching: isSearching)
    }

    @Test mutating func `A module is not missing while it may be on a port that has not answered`() {
        let isMissing = say(.absent, isSearching: true)
        let settled = missing.settle(isSearching: true)
        #expect(!isMissing && settled.isEmpty)
    }

    @Test mutating func `A module that was found is not missing, however late`() {
        _ = say(.absent, isSearching: true)
        let isMissing = say(.provisioning, isSearching: false)
        let settled = missing.settle(isSearching: false)
        #expect(!isMissing && settled.isEmpty)
    }

    @Test mutating func `A module that no port has is missing once all have answered, and that is said once`() {
        _ = say(.absent, isSearching: true)
        let first = missing.settle(isSearching: false)
        let second = missing.settle(isSearching: false)
        #expect(first == ["door"] && second.isEmpty)
    }

    @Test mutating func `Without a port to ask, a module is missing at once`() {
        let isMissing = say(.absent, isSearching: false)
        let settled = missing.settle(isSearching: false)
        #expect(isMissing && settled.isEmpty)
    }

    @Test mutating func `A module that was there is missing at once, whatever else is being searched for`() {
        _ = say(.advertising, isSearching: false)
        let isMissing = say(.absent, isSearching: true)
        #expect(isMissing)
    }

    @Test mutating func `A row for any new module misses nothing`() {
        let isMissing = say(.absent, of: .anyNew, isSearching: false)
        let settled = missing.settle(isSearching: false)
        #expect(!isMissing && settled.isEmpty)
    }

    @Test mutating func `A module that the inventory no longer has is not missing`() {
        _ = say(.absent, isSearching: true)
        missing.forget("door")
        let settled = missing.settle(isSearching: false)
        #expect(settled.isEmpty)
    }
}
