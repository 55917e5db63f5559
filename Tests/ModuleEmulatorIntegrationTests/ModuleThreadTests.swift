import BeaconModel
import SystemIO
import Testing

@testable import EmulatedModules
@testable import ModuleEmulator
@testable import ModuleEmulatorTests

@Suite("The thread of an emulated module", .timeLimit(.minutes(10)))
struct ModuleThreadTests {
    /// Sets a timer at its first byte, and answers the timer with the number of bytes that it has received by then. It
    /// handles the first byte only when it is told to.
    private struct SlowFirmware: EmulatedFirmware {
        let hasBegun: AsyncStream<Void>.Continuation
        let mayGoOn: WakeupPipe
        var air: OnAir { .silent(address: BluetoothAddress(bits: 1)) }
        var usualBaud: Int { 9600 }
        var hostBaud = 9600
        var resetCount: Int { 0 }
        private var count: UInt8 = 0

        init(hasBegun: AsyncStream<Void>.Continuation, mayGoOn: WakeupPipe) {
            self.hasBegun = hasBegun
            self.mayGoOn = mayGoOn
        }

        mutating func receive(_ bytes: [UInt8], baud: Int) -> [ModuleOutput] {
            count += UInt8(bytes.count)
            guard count == 1 else { return [] }
            hasBegun.yield()
            _ = try? waitUntilReady(mayGoOn.readEnd, for: .readable, wakeup: nil, timeout: .seconds(30))
            return [.schedule(ModuleTimer(event: .commandGap, generation: 0), after: .zero)]
        }

        mutating func fire(_ timer: ModuleTimer) -> [ModuleOutput] { [.send(Array("\(count).".utf8))] }
        mutating func reset() {}
        mutating func centralConnects() -> [ModuleOutput] { [] }
        mutating func centralDisconnects() -> [ModuleOutput] { [] }
    }

    @Test("passes on the bytes that wait before a timer that is due, so that its lateness is no silence")
    func lateness() async throws {
        let (begun, hasBegun) = AsyncStream.makeStream(of: Void.self)
        let mayGoOn = try WakeupPipe()
        let module = try EmulatedModule(SlowFirmware(hasBegun: hasBegun, mayGoOn: mayGoOn))
        defer { module.stop() }
        let client = try SerialClient(module.portPath)
        try client.type("a")
        _ = await begun.first { _ in true }
        try client.type("b")
        mayGoOn.wake()
        #expect(try client.read(until: ".") == "2.")
    }
}
