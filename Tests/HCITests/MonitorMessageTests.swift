import BeaconModel
import TestValues
import Testing

@testable import HCI

/// Against linux/include/net/bluetooth/hci_mon.h: a type, an adapter and a length, each little-endian.
@Suite("MonitorMessage")
struct MonitorMessageTests {
    private func parse(_ bytes: [UInt8]) -> MonitorMessage? { MonitorMessage.parse(bytes.span)?.message }

    private func message(_ type: UInt8, _ payload: [UInt8], adapter: UInt8 = 3) -> [UInt8] {
        [type, 0, adapter, 0, UInt8(payload.count), 0] + payload
    }

    @Test("Adapters come, go, and are switched on and off")
    func adapters() {
        #expect(parse(message(0, [])) == .appeared)
        #expect(parse(message(1, [])) == .vanished)
        #expect(parse(message(8, [])) == .switchedOn)
        #expect(parse(message(9, [])) == .switchedOff)
        #expect(MonitorMessage.parse(message(1, []).span)?.adapter == Adapter(index: 3))
    }

    @Test("Commands that switch scanning are told with what they ask for")
    func scanning() {
        #expect(parse(message(2, [0x0C, 0x20, 2, 1, 0])) == .scanEnable(on: true, filtersDuplicates: false))
        #expect(parse(message(2, [0x0C, 0x20, 2, 0, 0])) == .scanEnable(on: false, filtersDuplicates: false))
        #expect(parse(message(2, [0x42, 0x20, 6, 1, 1, 0, 0, 0, 0])) == .scanEnable(on: true, filtersDuplicates: true))
    }

    @Test("A reset is told, because it ends scanning")
    func reset() {
        #expect(parse(message(2, [0x03, 0x0C, 0])) == .reset)
        #expect(parse(message(2, [0x01, 0x10, 0])) == .other)
    }

    @Test("A hardware error is told with its code; other events are passed on")
    func events() {
        #expect(parse(message(3, [0x10, 1, 0x42])) == .hardwareError(code: 0x42))
        #expect(parse(message(3, [0x3E, 2, 0x02, 0])) == .event)
    }

    @Test("What is too short for its type is nothing")
    func truncated() {
        for whole in [message(2, [0x0C, 0x20, 2, 1, 0]), message(2, [0x03, 0x0C, 0])] {
            for length in 0..<(whole.count - 1) { #expect(parse(Array(whole.prefix(length))) == nil) }
        }
    }

    @Test("Random messages never trap")
    func random() {
        var generator = SeededGenerator("monitor messages")
        for _ in 0..<20_000 {
            var bytes = (0..<Int.random(in: 0...16, using: &generator)).map { _ in
                UInt8(truncatingIfNeeded: generator.next())
            }
            if bytes.count > 1 {
                bytes[0] %= 20
                bytes[1] = 0
            }
            _ = parse(bytes)
        }
    }
}
