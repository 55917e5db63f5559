import ServiceManager
import SystemIO
import Testing

@testable import BlueZScanner

@Suite(.timeLimit(.minutes(2))) struct TimeDateServiceTests {
    private enum Served {
        case answer(Bool)
        case silence
    }

    /// Asks on a bus where systemd-timedated does this; `nil`: where it is not there.
    private func ask(_ served: Served?) async throws -> TimeDateService.Answer {
        let bus = try await TestBus()
        let result: Result<TimeDateService.Answer, any Error> = try await DedicatedThread.run(name: "asking") {
            Result {
                if let served { try Self.serve(served, on: bus.address) }
                // Whoever never answers need not be waited for.
                if case .silence? = served { return TimeDateService(address: bus.address, patience: 300_000).ask() }
                return TimeDateService(address: bus.address).ask()
            }
        }
        await bus.stop()
        return try result.get()
    }

    /// Serves one property on a thread, as long as the bus is there. Returns when the service has its name.
    private static func serve(_ served: Served, on address: String) throws {
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
                    guard case .answer(let isSynchronized) = served else { continue }
                    _ = try? bus.send(call.answer { $0.variant("b") { $0.boolean(isSynchronized) } })
                }
            }
        }
        isReady.wait { $0 }
    }

    @Test("systemd-timedated says whether the clock is synchronized", arguments: [true, false])
    func answers(isSynchronized: Bool) async throws {
        let answer = try await ask(.answer(isSynchronized))
        #expect(answer == .synchronized(isSynchronized))
        #expect(answer.isSynchronized == isSynchronized)
        #expect(answer.remedy == nil)
    }

    @Test("Without the bus it is unknown, and dbus is to be installed")
    func noBus() {
        let answer = TimeDateService(address: "unix:path=/nonexistent/bus").ask()
        #expect(answer == .noBus)
        #expect(answer.isSynchronized == nil)
        #expect(answer.remedy?.hasPrefix("install dbus") == true)
    }

    @Test("A bus without the service is no missing bus")
    func noService() async throws {
        let answer = try await ask(nil)
        guard case .failed(let errorNumber) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(errorNumber > 0)
        #expect(answer.isSynchronized == nil)
        #expect(answer.remedy?.contains("install") == false)
    }

    @Test("A service that does not answer in time is no missing bus")
    func silent() async throws {
        let answer = try await ask(.silence)
        #expect(answer == .silent)
        #expect(answer.remedy?.contains("did not answer in time") == true)
    }
}
