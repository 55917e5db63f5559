import BeaconModel
import Testing

@testable import ModuleEmulator

@Suite("Modules side by side")
struct AirScheduleTests {
    private static func air(units: Int) -> OnAir {
        OnAir(
            advertising: true, type: 131, intervalUnits: units, data: [], address: BluetoothAddress(bits: 1))
    }

    private static let silent = OnAir.silent(address: BluetoothAddress(bits: 2))

    /// How often each pair meets in ten seconds.
    private static func count(_ air: [OnAir]) -> [[Int]] {
        var schedule = AirSchedule(modules: air.count)
        var counts = Array(repeating: Array(repeating: 0, count: air.count), count: air.count)
        for tick in 0..<1000 {
            for reception in schedule.receptions(at: .milliseconds(10 * tick), air: air) {
                counts[reception.advertiser][reception.listener] += 1
            }
        }
        return counts
    }

    @Test("hear each other at the advertising interval, and never themselves")
    func interval() {
        #expect(
            Self.count([Self.air(units: 1600), Self.silent, Self.silent]) == [[0, 10, 10], [0, 0, 0], [0, 0, 0]])
    }

    @Test("hear at most ten advertisements a second, of each neighbour as many")
    func limit() {
        let counts = Self.count([Self.air(units: 32), Self.air(units: 32), Self.silent])
        #expect(counts == [[0, 100, 50], [100, 0, 50], [0, 0, 0]])
    }

    @Test("hear nothing of a module that has fallen silent")
    func silence() {
        var schedule = AirSchedule(modules: 2)
        #expect(schedule.receptions(at: .zero, air: [Self.air(units: 32), Self.silent]).count == 1)
        #expect(schedule.receptions(at: .milliseconds(20), air: [Self.air(units: 32), Self.silent]).isEmpty)
        #expect(schedule.receptions(at: .milliseconds(200), air: [Self.silent, Self.silent]).isEmpty)
    }

    @Test("may be none, and may have nonsense on the air")
    func nonsense() {
        var none = AirSchedule(modules: 0)
        #expect(none.receptions(at: .zero, air: []).isEmpty)
        #expect(Self.count([Self.air(units: .max), Self.air(units: .min)])[1][0] == 100)
    }
}
