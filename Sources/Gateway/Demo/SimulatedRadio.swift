import BeaconModel
import BlueZScanner
import EmulatedModules
import GatewayDaemon
import HCI
import ModuleEmulator
import SystemIO

/// Simulated radio that exists only in this process. It carries the advertisements of emulated modules and of walking
/// badges.
struct SimulatedRadio: RadioSource {
    let name = "a simulated radio"
    private let modules: [(module: EmulatedModule, distance: Double)]
    private let walkers: [Walker]
    private let stream: AsyncThrowingStream<AdapterScanner.Event, any Error>
    private let continuation: AsyncThrowingStream<AdapterScanner.Event, any Error>.Continuation

    /// Advertising interval of all devices: ten times a second.
    private static let interval: Duration = .milliseconds(100)

    /// Creates a radio.
    ///
    /// - Parameter modules: modules with their distance from the gateway, in metres.
    init(modules: [(module: EmulatedModule, distance: Double)], walkers: [Walker]) {
        self.modules = modules
        self.walkers = walkers
        (stream, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(1024))
    }

    func events() -> AsyncThrowingStream<AdapterScanner.Event, any Error> {
        let transmission = Task { await transmit() }
        continuation.onTermination = { _ in transmission.cancel() }
        return stream
    }

    /// Does nothing: a simulated radio always receives.
    func suspect(isCertain: Bool) {}

    func rescan() {}

    func stop() { continuation.finish() }

    func abandon() { continuation.finish() }

    private func transmit() async {
        var air = SimulatedAir()
        let start = ContinuousClock.now
        var next = start
        var state = RadioState(adapter: Adapter(index: 0), path: .raw)
        state.mode = .legacy
        state.condition = .hearing
        continuation.yield(.state(state))
        while !Task.isCancelled {
            let elapsed = ContinuousClock.now - start
            let fixed = modules.compactMap { module, distance -> SimulatedAir.Advertiser? in
                let onAir = module.currentAir
                guard onAir.advertising else { return nil }
                return SimulatedAir.Advertiser(address: onAir.address, data: onAir.data, distance: distance)
            }
            let now = WallClock.now()
            let batch = air.batch(at: now, from: fixed + walkers.map { $0.advertiser(after: elapsed) })
            continuation.yield(batch.isEmpty ? .silence(now: now, heardUntil: now) : .packets(batch))
            next += Self.interval
            try? await Task.sleep(until: next, clock: .continuous)
        }
    }
}
