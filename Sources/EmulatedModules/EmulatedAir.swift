import ModuleEmulator
import SystemIO

/// A shared radio environment for emulated modules in one process: scanning modules receive the advertisements of the
/// others.
///
/// A module is received at its advertising interval. Each module reports at most ten advertisements per second.
package final class EmulatedAir: Sendable {
    private let wakeup: WakeupPipe
    private let isStopped = LockedValue(false)

    /// - Parameter rssi: the signal strength in dBm of one module (its index in `modules`) at another; default: -60
    ///   dBm, as at a distance of 1 m.
    /// - Throws: `SystemError`.
    package init(
        _ modules: [EmulatedModule], rssi: @escaping @Sendable (_ from: Int, _ to: Int) -> Int8 = { _, _ in -60 }
    ) throws {
        let wakeup = try WakeupPipe()
        let isStopped = isStopped
        try DedicatedThread.start(name: "emulated-air") {
            Self.run(modules, rssi, wakeup)
            isStopped.withLock { $0 = true }
        }
        self.wakeup = wakeup
    }

    deinit { stop() }

    /// Ends all reception, and returns once it has ended. Can be called repeatedly. Safe to call from any thread.
    package func stop() {
        wakeup.wake()
        isStopped.wait { $0 }
    }

    /// Resolution of the intervals.
    private static let tick: Duration = .milliseconds(10)

    private static func run(
        _ modules: [EmulatedModule], _ rssi: @Sendable (Int, Int) -> Int8, _ wakeup: WakeupPipe
    ) {
        var schedule = AirSchedule(modules: modules.count)
        let start = ContinuousClock.now
        while (try? waitUntilReady(wakeup.readEnd, for: .readable, wakeup: nil, timeout: tick).readiness) == [] {
            let air = modules.map(\.currentAir)
            for reception in schedule.receptions(at: .now - start, air: air) {
                let (from, to) = (reception.advertiser, reception.listener)
                modules[to].hear(air[from], rssi: rssi(from, to))
            }
        }
    }
}
