import BeaconModel
import BlueZScanner
import GatewayDaemon
import HCI
import SystemIO

/// Simulated radio of one gateway on the demonstration's floor. It carries the badges of the people there.
struct FloorRadio: RadioSource {
    let name = "a simulated radio"
    private let room: DemoFloor.Room
    private let seed: UInt64
    private let people: [DemoPerson]
    private let start: ContinuousClock.Instant
    private let speed: Double
    private let stream: AsyncThrowingStream<AdapterScanner.Event, any Error>
    private let continuation: AsyncThrowingStream<AdapterScanner.Event, any Error>.Continuation

    /// Advertising interval of all badges: five times a second.
    private static let interval: Duration = .milliseconds(200)

    /// Creates a radio.
    ///
    /// - Parameters:
    ///   - room: room in which the gateway hangs.
    ///   - seed: varies the noise; another for each gateway.
    ///   - start: beginning of the demonstration, the same for all gateways.
    ///   - speed: number of seconds that pass for the people in each second.
    init(
        in room: DemoFloor.Room, seed: UInt64, people: [DemoPerson], start: ContinuousClock.Instant, speed: Double
    ) {
        self.room = room
        self.seed = seed
        self.people = people
        self.start = start
        self.speed = speed
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
        var air = DemoFloor.air(seed: seed)
        var next = ContinuousClock.now
        var state = RadioState(adapter: Adapter(index: 0), path: .raw)
        state.mode = .legacy
        state.condition = .hearing
        continuation.yield(.state(state))
        while !Task.isCancelled {
            let time = (ContinuousClock.now - start).inSeconds * speed
            let now = WallClock.now()
            let batch = air.batch(at: now, from: people.compactMap { $0.advertiser(at: time, heardIn: room) })
            continuation.yield(batch.isEmpty ? .silence(now: now, heardUntil: now) : .packets(batch))
            next += Self.interval
            try? await Task.sleep(until: next, clock: .continuous)
        }
    }
}
