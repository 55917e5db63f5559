import BeaconModel
import BlueZScanner
import EmulatedModules
import GatewayDaemon
import HCI
import ModuleEmulator
import SystemIO

/// Simulated radio that exists only in this process.
struct SimulatedRadio: RadioSource {
    let name = "a simulated radio"
    /// Noise of the reception, as it begins.
    private let air: SimulatedAir
    /// Advertising interval of all devices.
    private let interval: Duration
    /// Returns what advertises, given the time since the reception began.
    private let advertisers: @Sendable (_ elapsed: Duration) -> [SimulatedAir.Advertiser]
    private let stream: AsyncThrowingStream<AdapterScanner.Event, any Error>
    private let continuation: AsyncThrowingStream<AdapterScanner.Event, any Error>.Continuation

    private init(
        _ air: SimulatedAir, every interval: Duration,
        of advertisers: @escaping @Sendable (_ elapsed: Duration) -> [SimulatedAir.Advertiser]
    ) {
        self.air = air
        self.interval = interval
        self.advertisers = advertisers
        (stream, continuation) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(1024))
    }

    /// Creates a radio that receives emulated modules and walking badges, ten times a second.
    ///
    /// - Parameter modules: modules with their distance from the gateway, in metres.
    init(modules: [(module: EmulatedModule, distance: Double)], walkers: [Walker]) {
        self.init(SimulatedAir(), every: .milliseconds(100)) { elapsed in
            let fixed = modules.compactMap { module, distance -> SimulatedAir.Advertiser? in
                let onAir = module.currentAir
                guard onAir.advertising else { return nil }
                return SimulatedAir.Advertiser(address: onAir.address, data: onAir.data, distance: distance)
            }
            return fixed + walkers.map { $0.advertiser(after: elapsed) }
        }
    }

    /// Creates the radio of one gateway on the demonstration's floor. It receives the badges of the people there, five
    /// times a second.
    ///
    /// - Parameters:
    ///   - room: room in which the gateway hangs.
    ///   - seed: varies the noise; another for each gateway.
    ///   - start: beginning of the demonstration, the same for all gateways.
    ///   - speed: number of seconds that pass for the people in each second.
    init(
        in room: DemoFloor.Room, seed: UInt64, people: [DemoPerson], start: ContinuousClock.Instant, speed: Double
    ) {
        self.init(DemoFloor.air(seed: seed), every: .milliseconds(200)) { _ in
            let time = (ContinuousClock.now - start).inSeconds * speed
            return people.compactMap { $0.advertiser(at: time, heardIn: room) }
        }
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
        var air = air
        let start = ContinuousClock.now
        var next = start
        var state = RadioState(adapter: Adapter(index: 0), path: .raw)
        state.mode = .legacy
        state.condition = .hearing
        continuation.yield(.state(state))
        while !Task.isCancelled {
            let onAir = advertisers(ContinuousClock.now - start)
            let now = WallClock.now()
            let batch = air.batch(at: now, from: onAir)
            continuation.yield(batch.isEmpty ? .silence(now: now, heardUntil: now) : .packets(batch))
            next += interval
            try? await Task.sleep(until: next, clock: .continuous)
        }
    }
}
