import BeaconModel
import ModuleEmulator
import Testing

@testable import ModuleDialogues

/// Recorded sessions, against the driver and against the emulated module.
@Suite struct TraceReplayTests {
    private static let beacon = BeaconConfiguration(
        beacon: BeaconID(
            uuid: ProximityUUID(bits: 0xE2C5_6DB5_DFFB_48D2_B060_D0F5_A710_96E0), major: 1, minor: 2),
        measuredPower: -59, interval: AdvertisingInterval(.milliseconds(250)) ?? .appleIBeacon)

    private static func record(
        _ beacon: BeaconConfiguration = beacon, profile: RS9116Profile = RS9116Profile(),
        _ change: (inout RS9116Emulator.Options) -> Void = { _ in }
    ) throws -> SerialTrace {
        var options = RS9116Emulator.Options()
        change(&options)
        var line = EmulatedSerialLine(
            RS9116Emulator(options: options), assignment: beacon, expected: beacon, profile: profile)
        line.run()
        return try line.trace()
    }

    private static func againstEmulator(_ trace: SerialTrace) -> EmulatorReplay {
        let entries = trace.pieces.compactMap { entry -> EmulatorReplay.Entry? in
            switch entry.event {
            case .toModule(let bytes): .init(time: entry.time, event: .toModule(bytes), line: entry.line)
            case .fromModule(let bytes): .init(time: entry.time, event: .fromModule(bytes), line: entry.line)
            case .baudRate(let rate): .init(time: entry.time, event: .baudRate(rate), line: entry.line)
            default: nil
            }
        }
        return EmulatorReplay(entries, options: .init(guessedFrom: entries))
    }

    @Test(
        "The driver does again what it did, with whatever module",
        arguments: DriverAgainstEmulatorTests.Variation.harmless)
    func driver(variation: DriverAgainstEmulatorTests.Variation) throws {
        let replay = DriverReplay(try Self.record(Self.beacon, variation.change))
        #expect(replay.difference == nil)
        #expect(replay.wanted == Self.beacon)
        guard case .provisioned(let module) = replay.end else {
            Issue.record("\(replay.end)")
            return
        }
        #expect(module.configuration == Self.beacon)
        #expect(replay.continuation.isEmpty)
    }

    @Test("So it does when its failure was recorded")
    func failure() throws {
        let replay = DriverReplay(try Self.record { $0.initialState = .binaryMode })
        #expect(replay.difference == nil)
        #expect(replay.end == .failed(.silent))
    }

    @Test("The transmit power that was wanted is found in the trace")
    func transmitPower() throws {
        var beacon = Self.beacon
        beacon.transmitPower = 12
        let trace = try Self.record(beacon)
        #expect(DriverReplay(trace).wanted == beacon)
        #expect(DriverReplay(trace).difference == nil)
        let profile = RS9116Profile([.powerInOperatingMode: false])
        let apart = try Self.record(beacon, profile: profile)
        #expect(DriverReplay(apart, profile: profile).difference == nil)
        #expect(DriverReplay(apart).difference != nil, "the driver knew something then")
    }

    @Test("Where a human did something else than the driver is named by its line")
    func difference() throws {
        var trace = try Self.record()
        let index = try #require(
            trace.entries.firstIndex {
                if case .toModule(let bytes) = $0.event {
                    bytes.starts(with: "at+rsibt_advertise=".utf8)
                } else {
                    false
                }
            })
        guard case .toModule(var bytes) = trace.entries[index].event else { return }
        bytes[19] = UInt8(ascii: "9")
        trace.entries[index].event = .toModule(bytes)
        let difference = try #require(DriverReplay(trace).difference)
        #expect(difference.line == trace.entries[index].line)
        #expect(difference.recorded.starts(with: bytes))
        #expect(String(decoding: difference.driver, as: UTF8.self).hasPrefix("at+rsibt_advertise=1"))
    }

    @Test("What the driver wouldn't have sent, and what it would have, are differences")
    func moreAndLess() throws {
        let trace = try Self.record()
        var more = trace
        more.entries.insert(.init(time: .milliseconds(300), event: .toModule([0x0D]), line: 77), at: 1)
        #expect(DriverReplay(more).difference?.line == 77)
        var less = trace
        // The module's answers go on, as if another program had sent what is missing.
        let first = try #require(less.entries.lastIndex { if case .toModule = $0.event { true } else { false } })
        less.entries.remove(at: first)
        for index in less.entries.indices.dropFirst(first) { less.entries[index].time += .seconds(1) }
        #expect(DriverReplay(less).difference?.recorded == [])
    }

    @Test("A trace that was cut off is no difference")
    func cutOff() throws {
        let trace = try Self.record()
        for count in 0..<trace.entries.count {
            var part = trace
            part.entries.removeLast(count)
            #expect(DriverReplay(part).difference == nil, "without the last \(count)")
        }
    }

    @Test("Jitter of a busy machine is no difference")
    func jitter() throws {
        var trace = try Self.record()
        var late: Duration = .zero
        for index in trace.entries.indices {
            late += .milliseconds(index % 7 * 5)
            trace.entries[index].time += late
        }
        #expect(DriverReplay(trace).difference == nil)
    }

    @Test("A machine that stood still for seconds is no difference, but is told")
    func standstill() throws {
        let trace = try Self.record()
        for index in trace.entries.indices.dropFirst(3) {
            var late = trace
            for later in index..<late.entries.count { late.entries[later].time += .seconds(3) }
            #expect(DriverReplay(late).difference == nil, "before line \(trace.entries[index].line)")
        }
    }

    @Test("A program that sent before it read is no difference")
    func crossing() throws {
        var trace = try Self.record()
        // The answer to the first of two handshake bytes was recorded before the second.
        let handshake = try #require(trace.entries.firstIndex { $0.event == .toModule([0x7C]) })
        var second = trace.entries[handshake]
        second.time += .milliseconds(200)
        trace.entries[handshake + 1].time = second.time
        trace.entries.insert(second, at: handshake + 2)
        for index in trace.entries.indices.dropFirst(handshake + 3) { trace.entries[index].time += .milliseconds(201) }
        #expect(DriverReplay(trace).difference == nil)
    }

    @Test(
        "The emulated module answers what it answered, with ways that are guessed",
        arguments: DriverAgainstEmulatorTests.Variation.harmless.filter {
            !["Invalid Option before Loading", "events before each OK"].contains($0.testDescription)
                && !$0.testDescription.contains("byte damaged") && !$0.testDescription.contains("byte lost")
                && !$0.testDescription.contains("resets itself") && !$0.testDescription.contains("bypassed")
        })
    func emulator(variation: DriverAgainstEmulatorTests.Variation) throws {
        let replay = Self.againstEmulator(try Self.record(Self.beacon, variation.change))
        #expect(
            replay.differences == [],
            "\(replay.differences.map { (Printable.escaped($0.sent), Printable.escaped($0.recorded), Printable.escaped($0.emulated)) })"
        )
        #expect(replay.turns.count > 5)
    }

    @Test("An answer that the emulated module doesn't give is shown with the line of its question")
    func emulatorDiffers() throws {
        let trace = try Self.record { $0.eventBeforeOK = true }
        let differences = Self.againstEmulator(trace).differences
        #expect(!differences.isEmpty)
        let first = try #require(differences.first)
        #expect(trace.pieces.contains { $0.line == first.line && $0.event == .toModule(first.sent) })
        #expect(String(decoding: first.recorded, as: UTF8.self).contains("ADVRTISE"))
        #expect(!String(decoding: first.emulated, as: UTF8.self).contains("ADVRTISE"))
    }

    @Test("No trace makes the replays fail")
    func hostile() throws {
        let empty = SerialTrace(header: .init(version: "0", started: "-", port: "-"))
        #expect(DriverReplay(empty).end == .nothing)
        #expect(Self.againstEmulator(empty).turns.isEmpty)
        var bytesOnly = empty
        bytesOnly.entries = [
            .init(time: .zero, event: .fromModule([1, 2, 3])), .init(time: .zero, event: .baudRate(9600)),
        ]
        #expect(DriverReplay(bytesOnly).end == .nothing)
        #expect(Self.againstEmulator(bytesOnly).differences.isEmpty)
        let trace = try Self.record()
        for index in trace.entries.indices {
            var part = trace
            part.entries.removeFirst(index)
            _ = DriverReplay(part)
            _ = Self.againstEmulator(part)
        }
    }
}
