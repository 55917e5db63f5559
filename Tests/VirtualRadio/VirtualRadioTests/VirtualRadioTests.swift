import Testing

/// The real program on the real kernel's Bluetooth stack, with a controller of our own behind it.
@Suite(.timeLimit(.minutes(20))) struct VirtualRadioTests {
    @Test("Every program in the machine ended as it should")
    func status() async throws {
        let results = try await VirtualMachine.shared.results()
        #expect(results.status == 0, "\(results.log)\n\(results.file("failures") ?? "")")
    }

    @Test(
        "Every advertisement on the air comes out, once, with its UUID, major, minor, measured power and RSSI",
        arguments: ["legacy-beacons", "extended-beacons"])
    func beacons(run: String) async throws {
        let results = try await VirtualMachine.shared.results()
        let sightings = try Sighting.read(results.lines("\(run).jsonl"))
        #expect(ExpectedBeacon.differences(in: sightings) == [], "\(results.log)")
        #expect(sightings.filter { $0.kind == "exposure-notification" }.count == 12)
        #expect(sightings.filter { $0.identifier?.count == 32 }.count == 12)
        #expect(sightings.filter { $0.kind == "eddystone-uid" }.count == 6)
        // A named device; Bluetooth 5 has one with 41 bytes of data more.
        #expect(sightings.filter { $0.kind == "unknown" }.count == (run == "legacy-beacons" ? 4 : 9))
        #expect(sightings.filter { $0.rssi == nil }.count == 4, "of the device whose RSSI the controller doesn't know")
    }

    @Test("A payload that is no iBeacon gives none, and the check of the two runs above notices")
    func negativeControl() async throws {
        let results = try await VirtualMachine.shared.results()
        let sightings = try Sighting.read(results.lines("legacy-no-beacons.jsonl"))
        #expect(sightings.count == 112, "the radio was not deaf")
        #expect(sightings.filter { $0.kind == "ibeacon" }.isEmpty)
        #expect(ExpectedBeacon.differences(in: sightings).count == ExpectedBeacon.all.count)
    }

    @Test(
        "Scanning is passive, with the duplicate filter off, by the commands that suit the controller",
        arguments: [("legacy-beacons", "legacy"), ("extended-beacons", "extended")])
    func parameters(run: String, commands: String) async throws {
        let log = try await VirtualMachine.shared.results().lines("\(run).controller.log")
        #expect(log.contains { $0.contains("scan on: duplicate filter off, passive, \(commands)") }, "\(log)")
        #expect(log.contains { $0.contains("0 duplicates withheld") }, "\(log)")
    }

    @Test("Times are the kernel's: they grow, and span the three seconds of the scenario")
    func times() async throws {
        let results = try await VirtualMachine.shared.results()
        let times = try Sighting.read(results.lines("legacy-beacons.jsonl")).map(\.time)
        #expect(times == times.sorted())
        #expect(times.allSatisfy { $0.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil })
        #expect(Set(times).count > 50)
    }

    @Test("The daemon takes the beacons from the radio to a real broker: one interaction each")
    func daemon() async throws {
        let received = try await VirtualMachine.shared.results().lines("daemon.mqtt")
        let started = received.filter { $0.contains(#""type":"interaction.started""#) }
        #expect(started.count == 3, "\(received)")
        for beacon in ExpectedBeacon.all {
            let topic =
                "beacons/v1/lab/virtual/0/guest/beacon/\(beacon.uuid)/\(beacon.major)/\(beacon.minor)/interaction"
            #expect(started.filter { $0.hasPrefix("0 1 \(topic) ") }.count == 1)
        }
        #expect(received.contains { $0.contains("/info ") && $0.contains(#""scan":"legacy""#) }, "\(received)")
    }

    @Test("SIGTERM ends the daemon within two seconds: interactions ended, stopping said, scanning off")
    func farewell() async throws {
        let results = try await VirtualMachine.shared.results()
        let received = results.lines("daemon.mqtt")
        #expect(results.lines("daemon.status") == ["0"], "\(results.lines("daemon.log"))")
        let seconds = try #require(results.lines("daemon.seconds").first.flatMap(Double.init))
        #expect(seconds < 2)
        let ended = received.filter {
            $0.contains(#""type":"interaction.ended""#) && $0.contains(#""endReason":"shutdown""#)
        }
        #expect(ended.count == 3, "\(received)")
        let last = received.last { $0.contains("/status ") }
        #expect(last?.contains(#""state":"stopping""#) == true, "\(received)")
        let log = results.lines("daemon.controller.log")
        #expect(log.last { $0.contains("scan o") }?.contains("scan off") == true, "\(log)")
    }

    @Test("A clock that is set by months while the broker stands still costs no record")
    func clock() async throws {
        let results = try await VirtualMachine.shared.results()
        let received = results.lines("clock.mqtt")
        let sequences = received.filter { $0.contains("/interaction ") || $0.contains("/readings ") }.compactMap {
            $0.firstMatch(of: /"sequence":(\d+)/).flatMap { Int($0.1) }
        }
        #expect(sequences.count > 40, "\(results.lines("clock.log"))")
        #expect(Set(1...max(1, sequences.max() ?? 0)).subtracting(sequences).isEmpty)
        let health = try #require(received.last { $0.contains("/health ") })
        #expect(health.contains(/"evicted":\{"ended":0,"readings":0,"started":0,"updated":0\}/), "\(health)")
        #expect(health.contains(#""expired":0"#), "\(health)")
    }

    @Test("SIGTERM ends a scan within two seconds, and scanning is off afterwards")
    func termination() async throws {
        let results = try await VirtualMachine.shared.results()
        #expect(results.lines("sigterm.status") == ["0"], "\(results.log)")
        let log = results.lines("sigterm.controller.log")
        let last = log.last { $0.contains("scan o") }
        #expect(last?.contains("scan off") == true, "\(log)")
    }
}
