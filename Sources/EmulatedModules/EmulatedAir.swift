import ModuleEmulator
import SystemIO

/// Emulated modules side by side in one process: those that scan hear what the others advertise.
///
/// A module is heard at its advertising interval. Each module reports at most ten advertisements a second.
package final class EmulatedAir: Sendable {
    private let wakeup: WakeupPipe
    private let isStopped = LockedValue(false)

    /// - Parameter rssi: the signal strength in dBm of one module (its index in `modules`) at another; by default
    ///   -60 dBm, as 1 m away.
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

    /// Nobody hears anybody any more. Returns once that is so; may be called again, from any thread.
    package func stop() {
        wakeup.wake()
        isStopped.wait { $0 }
    }

    /// How exact the intervals are.
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
