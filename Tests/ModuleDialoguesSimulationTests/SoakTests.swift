import BeaconModel
import ModuleEmulator
import SystemIO
import TestValues
import Testing

@testable import ModuleDialogues
@testable import ModuleDialoguesTests

/// A month in a building, in simulated time; on threads of its own, because it keeps a processor busy for seconds.
@Suite(.timeLimit(.minutes(60))) struct SoakTests {
    @Test("Twenty modules are reset and unplugged at random for thirty days; in the end all advertise the inventory")
    func month() async throws {
        var pace = ModuleKind.Pace()
        // Every day fewer looks than the product's, which makes the gaps longer, not shorter.
        if !TestScale.isFull { pace.checkInterval = .seconds(600) }
        let result = try await DedicatedThread.run(name: "soak") { [pace] in
            Self.soak(days: 30, pace: pace, hasReceiver: true, seed: 1)
        }
        print(result.table)
        #expect(result.rightAtTheEnd == 20, "seed 1")
        #expect(result.worstShare > 0.99, "seed 1")
        #expect(result.longestGap < .seconds(120), "seed 1")
    }

    @Test("Without a receiver the same holds, because modules are asked")
    func withoutEar() async throws {
        let result = try await DedicatedThread.run(name: "soak") {
            Self.soak(days: TestScale.amount(1, full: 30), pace: .init(), hasReceiver: false, seed: 2)
        }
        print(result.table)
        #expect(result.rightAtTheEnd == 20, "seed 2")
        #expect(result.longestGap < .seconds(120), "seed 2")
    }

    struct Result {
        var rightAtTheEnd = 0
        var shares: [Double] = []
        var longestGap: Duration = .zero
        var resets = 0
        var unplugs = 0
        var days = 0
        var hasReceiver = false

        var worstShare: Double { shares.min() ?? 0 }

        var table: String {
            let mean = shares.reduce(0, +) / Double(max(1, shares.count))
            return """
                soak: \(shares.count) modules, \(days) days, \(hasReceiver ? "with" : "without") a receiver, \
                \(resets) resets, \(unplugs) unpluggings
                  right at the end        \(rightAtTheEnd) of \(shares.count)
                  time right, mean        \(mean * 100) % of the time plugged in
                  time right, worst       \(worstShare * 100) %
                  longest gap             \(longestGap.inSeconds) s
                """
        }
    }

    private static func soak(days: Int, pace: ModuleKind.Pace, hasReceiver: Bool, seed: UInt64) -> Result {
        var generator = SeededGenerator(seed: seed)
        var entries: [InventoryEntry] = []
        var emulators: [any EmulatedFirmware] = []
        for index in 0..<20 {
            let address = BluetoothAddress(bits: 0x88DA_1A00_0000 + UInt64(index))
            var option = RS9116Emulator.Options()
            option.address = address
            // A drawer of modules of several vintages.
            switch index {
            case 3: option.acceptedABRD = .fileSeparator
            case 5: option.nonConnectableRejection = 0x4E11
            case 7: option.bypassesBootloader = true
            case 9: option.bluetoothStart = .unannounced
            case 11: option.bootloader = .siliconLabs
            case 13: option.commonErrors = .binary
            default: break
            }
            emulators.append(RS9116Emulator(options: option))
            let selector: ModuleSelector = index % 3 == 0 ? .usbSerial("M\(index)") : .address(address)
            entries.append(
                InventoryEntry(
                    name: "m\(index)", module: selector,
                    configuration: BeaconConfiguration(
                        beacon: BeaconID(uuid: ProximityUUID(bits: 1), major: 1, minor: UInt16(index)),
                        measuredPower: -59)))
        }
        var building = SimulatedBuilding(
            Inventory(entries: entries), emulators: emulators, hasReceiver: hasReceiver, pace: pace)
        var result = Result()
        result.days = days
        result.hasReceiver = hasReceiver
        let end = Duration.seconds(days * 86_400)
        for index in 0..<20 {
            // On the average a reset every 12 hours and an unplugging every 3 days, each for up to half an hour; none
            // in the last five minutes.
            var time = Duration.seconds(Int.random(in: 0..<86_400, using: &generator))
            while time < end - .seconds(300) {
                if Int.random(in: 0..<6, using: &generator) == 0 {
                    let back = time + .milliseconds(Int.random(in: 500..<1_800_000, using: &generator))
                    if back < end - .seconds(300) {
                        result.unplugs += 1
                        building.schedule(.unplug(index), at: time)
                        building.schedule(.plug(index), at: back)
                    }
                } else {
                    result.resets += 1
                    building.schedule(.reset(index), at: time)
                }
                time += .milliseconds(Int.random(in: 1..<86_400_000, using: &generator))
            }
        }
        building.run(until: end)
        for index in 0..<20 {
            let record = building.record(of: index)
            if building.isRight(index) { result.rightAtTheEnd += 1 }
            result.shares.append(record.right.inSeconds / record.plugged.inSeconds)
            result.longestGap = max(result.longestGap, record.longestGap)
        }
        return result
    }
}
