import ServiceManager
import SystemIO
import Testing

@testable import BlueZScanner

@Suite(.timeLimit(.minutes(2))) struct TimeDateServiceTests {
    /// Asks on a bus where systemd-timedated gives this answer; `nil`: where it is not there.
    private func ask(_ answer: Bool?) async throws -> Bool? {
        let bus = try await TestBus()
        let result: Result<Bool?, any Error> = try await DedicatedThread.run(name: "asking") {
            Result {
                if let answer { try Self.serve(answer, on: bus.address) }
                return TimeDateService(address: bus.address).isSynchronized()
            }
        }
        await bus.stop()
        return try result.get()
    }

    /// Serves one property on a thread, as long as the bus is there. Returns when the service has its name.
    private static func serve(_ isSynchronized: Bool, on address: String) throws {
        let isReady = LockedValue(false)
        try DedicatedThread.start(name: "timedated") {
            defer { isReady.withLock { $0 = true } }
            guard let bus = try? BusConnection(address: address, patience: .seconds(50)),
                (try? bus.callBus("RequestName") { request in
                    request.string("org.freedesktop.timedate1")
                    request.uint32(0)
                }) != nil
            else { return }
            isReady.withLock { $0 = true }
            while (try? bus.exchange(milliseconds: 100)) != nil {
                while let call = bus.next() {
                    guard call.isCall("org.freedesktop.DBus.Properties", "Get") else { continue }
                    var reader = call.reader
                    guard reader.string() == "org.freedesktop.timedate1", reader.string() == "NTPSynchronized" else {
                        continue
                    }
                    _ = try? bus.send(call.answer { $0.variant("b") { $0.boolean(isSynchronized) } })
                }
            }
        }
        isReady.wait { $0 }
    }

    @Test("systemd-timedated says whether the clock is synchronized", arguments: [true, false])
    func answers(isSynchronized: Bool) async throws {
        #expect(try await ask(isSynchronized) == isSynchronized)
    }

    @Test("Without the service or the bus it is unknown")
    func unknown() async throws {
        #expect(try await ask(nil) == nil)
        #expect(TimeDateService(address: "unix:path=/nonexistent/bus").isSynchronized() == nil)
    }
}
