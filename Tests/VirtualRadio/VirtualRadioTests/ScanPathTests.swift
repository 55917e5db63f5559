import TestValues
import Testing

/// Every way of hearing, on the real kernel and with the real bluetoothd; and two adapters at once.
@Suite(.full, .timeLimit(.minutes(20))) struct ScanPathTests {
    private func sightings(_ name: String) async throws -> [Sighting] {
        let results = try await VirtualMachine.faults.results()
        return try Sighting.read(results.lines("path-\(name).jsonl"))
    }

    private func errors(_ name: String) async throws -> [String] {
        try await VirtualMachine.faults.results().lines("path-\(name).log")
    }

    @Test(
        "The user channel, and listening to another program's scan, hear the three beacons all the time",
        arguments: ["user-channel", "monitor"])
    func hears(path: String) async throws {
        let (sightings, errors) = (try await sightings(path), try await errors(path))
        // Each advertises every 0.4 s, for six seconds less the start.
        #expect(sightings.count > 24, "\(errors)")
        #expect(Set(sightings.compactMap(\.minor)).count == 3)
    }

    @Test("The user channel leaves the controller without a scan")
    func userChannelEnds() async throws {
        let log = try await VirtualMachine.faults.results().lines("path-own.controller.log")
        let scans = log.filter { $0.contains("scan o") }
        let on = try #require(scans.firstIndex { $0.contains("scan on: duplicate filter off, passive") }, "\(log)")
        #expect(scans.dropFirst(on + 1).first?.contains("scan off: ") == true, "\(log)")
    }

    @Test("Who only listens where nobody scans is told so")
    func nobodyScans() async throws {
        #expect(try await sightings("nobody-scans").isEmpty)
        #expect(try await errors("nobody-scans").contains { $0.contains("no program is scanning with hci0") })
    }

    @Test("A process without rights hears through bluetoothd by itself; all with its monitors, less without")
    func dbus() async throws {
        let errors = try await errors("dbus--nodetach") + errors("dbus--experimental")
        let plain = try await sightings("dbus--nodetach")
        let monitored = try await sightings("dbus--experimental")
        #expect(Set(plain.compactMap(\.minor)).count == 3, "\(errors)")
        #expect(monitored.count > 40, "\(errors)")
        print("through bluetoothd, of about 90 in 12 s: \(plain.count), with its monitors \(monitored.count)")
    }

    @Test("A process without rights is told, where bluetoothd isn't either, what to do, with status 69")
    func nothingPermitted() async throws {
        let results = try await VirtualMachine.faults.results()
        #expect(results.lines("path-no-service.status") == ["69"])
        let errors = try await errors("no-service").joined(separator: "\n")
        #expect(errors.contains("setcap cap_net_raw,cap_net_admin+ep"), "\(errors)")
    }

    @Test("When one of two adapters is pulled, the gateway goes on hearing with the other, and nobody is gone or lost")
    func pair() async throws {
        let timeline = try FaultTimeline("pair", from: try await VirtualMachine.faults.results())
        let unplugged = try timeline.time(of: "unplug")
        let span = unplugged...(try timeline.time(of: "end"))
        let first = timeline.statuses.first { span.contains($0.time) && $0.value.reasons == ["removed"] }
        #expect((first?.time ?? .infinity) - unplugged < 5, "\(timeline.story(span))")
        let radio = Set(timeline.statuses.filter { span.contains($0.time) }.compactMap(\.value.radio))
        #expect(radio == ["hearing"], "\(timeline.story(span))")
        #expect(timeline.records("ended", in: span).isEmpty, "\(timeline.story(span))")
        #expect(!timeline.records("updated", in: span).isEmpty)
    }
}
