import BeaconModel
import ModuleDialogues
import RecordContract
import Testing

@testable import GatewayCore

@Suite("ModuleFailures") struct ModuleFailuresTests {
    private var failures = ModuleFailures()

    private mutating func say(_ condition: ModuleStatus.Condition, address: UInt64? = 1) -> ModuleEvent? {
        let entry = InventoryEntry(
            name: "door", module: .port("/dev/ttyUSB0"),
            configuration: BeaconConfiguration(
                beacon: RemoteReceiverPayloads.beacon, measuredPower: -59, interval: .appleIBeacon, transmitPower: nil))
        var status = ModuleStatus(entry: entry, condition: condition)
        status.address = address.map { BluetoothAddress(bits: $0) }
        status.port = "/dev/ttyUSB0"
        if condition == .failed { status.problem = .failed(PortFailure(what: "no answer", remedy: "unplug it")) }
        return failures.update(status, at: .epoch)
    }

    @Test("A failure is one event, however often it is tried again, and so is its end")
    mutating func once() throws {
        #expect(say(.unverified) == nil)
        let failure = say(.failed)
        let failed = try #require(failure)
        #expect(
            failed
                == ModuleEvent(
                    kind: .failed, time: .epoch, module: "door", port: "/dev/ttyUSB0",
                    beacon: RemoteReceiverPayloads.beacon,
                    state: "failed", error: "no answer", remedy: "unplug it"))
        for _ in 0..<3 {
            #expect(say(.provisioning) == nil)
            #expect(say(.failed) == nil)
        }
        #expect(say(.provisioning) == nil)
        let end = say(.advertising)
        let recovered = try #require(end)
        #expect(recovered.kind == .recovered && recovered.state == "advertising" && recovered.error == nil)
        #expect(say(.unverified) == nil)
    }

    @Test("A failure of another sort is another event")
    mutating func another() {
        #expect(say(.notHeard)?.state == "not-heard")
        #expect(say(.failed)?.state == "failed")
        let absent = say(.absent)
        #expect(absent?.state == "absent" && absent?.error == "the module was disconnected")
        #expect(say(.unverified)?.kind == .recovered)
    }

    @Test("A module that was never there isn't a failure by being absent; one that was unplugged is")
    mutating func absent() {
        #expect(say(.absent, address: nil) == nil)
        #expect(say(.provisioning, address: nil) == nil)
        #expect(say(.absent, address: nil) == nil)
        #expect(say(.provisioning) == nil)
        #expect(say(.absent)?.kind == .failed)
    }

    @Test("One that left the inventory is forgotten")
    mutating func forgotten() {
        _ = say(.failed)
        failures.forget("door")
        #expect(say(.unverified) == nil)
    }
}
