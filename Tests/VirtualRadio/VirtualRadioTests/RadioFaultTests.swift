import TestValues
import Testing

/// What can happen to an adapter, in a machine with the real kernel and the real Bluetooth daemon. Each fault is
/// noticed, nobody is declared gone because nobody can be heard, and scanning comes back by itself.
@Suite(.full, .timeLimit(.minutes(20))) struct RadioFaultTests {
    @Test("Every program in the machine ended as it should, and every fault was mended")
    func status() async throws {
        let results = try await VirtualMachine.faults.results()
        #expect(results.status == 0, "\(results.log)\n\(results.file("failures") ?? "")")
    }

    /// One with legacy commands and one with extended ones.
    private static let adapters = ["adapter", "extended-adapter"]

    @Test(
        "An adapter that isn't there when the daemon starts is said to be missing, and used as soon as it comes",
        arguments: adapters)
    func missing(step: String) async throws {
        let timeline = try await timeline(step)
        try expectNoticed("missing", as: ["no-such-adapter"], in: timeline)
        let appears = try timeline.time(of: "appears")
        let span = try timeline.span(of: "missing")
        #expect(span.upperBound - appears < 15, "\(timeline.story(span))")
        try expectNobodyDeparts("missing", in: timeline)
        try expectHearingAgain(after: "missing", in: timeline)
    }

    @Test("An adapter that somebody switches off is noticed and switched on again", arguments: adapters)
    func down(step: String) async throws {
        try await expectRecovery(from: "down", of: step, as: ["down"])
    }

    @Test(
        "An adapter that is blocked by rfkill is noticed as such, and used again when it isn't any more",
        arguments: adapters)
    func blocked(step: String) async throws {
        try await expectRecovery(from: "blocked", of: step, as: ["blocked"])
        let timeline = try await timeline(step)
        let begin = try timeline.time(of: "blocked")
        let unblocked = try timeline.time(of: "unblocked")
        #expect(
            timeline.statuses.last { $0.time < unblocked }?.value.reasons == ["blocked"],
            "\(timeline.story(begin...unblocked))")
    }

    @Test("A hardware error is noticed, and scanning goes on after the kernel's reset", arguments: adapters)
    func hardwareError(step: String) async throws {
        try await expectRecovery(from: "hardware-error", of: step, as: ["hardware-error"])
    }

    @Test("Firmware that answers nothing is noticed, and used again when it answers", arguments: adapters)
    func hang(step: String) async throws {
        // What doesn't answer can't be switched on either, and after a repair that failed that may be the reason.
        try await expectRecovery(from: "hang", of: step, as: ["not-answering"])
    }

    @Test(
        "An adapter that is pulled for six seconds is noticed; interactions go on as if nothing had happened",
        arguments: adapters)
    func unplugged(step: String) async throws {
        try await expectRecovery(from: "unplug", of: step, as: ["removed"])
        let timeline = try await timeline(step)
        let span = try timeline.span(of: "unplug")
        #expect(timeline.records("ended", in: span).isEmpty, "\(timeline.story(span))")
    }

    @Test(
        "An adapter that is away for longer than a silence ends interactions as lost, and others begin after it",
        arguments: adapters)
    func unpluggedForLong(step: String) async throws {
        try await expectRecovery(from: "long-unplug", of: step, as: ["removed"])
        let timeline = try await timeline(step)
        let span = try timeline.span(of: "long-unplug")
        let ended = timeline.records("ended", in: span)
        #expect(ended.map(\.data.endReason) == ["lost", "lost", "lost"], "\(timeline.story(span))")
        let unknown = timeline.presences.filter { span.contains($0.time) && $0.value != nil }
        #expect(unknown.contains { $0.value?.present == nil }, "presence is unknown, not false")
        let plugged = try timeline.time(of: "long-plug")
        #expect(timeline.records("started", in: plugged...span.upperBound + 5).count == 3, "\(timeline.story(span))")
    }

    @Test(
        "An adapter that comes back under another name is found, though another has taken its own", arguments: adapters)
    func moved(step: String) async throws {
        try await expectRecovery(from: "moved", of: step, as: ["removed"])
        let results = try await VirtualMachine.faults.results()
        let timeline = try await timeline(step)
        let span = try timeline.span(of: "moved")
        let log = timeline.controllerLog.last { span.contains($0.time) && $0.value.hasPrefix("adapter ") }
        #expect(log?.value.hasPrefix("adapter hci1,") == true, "the step did what it says: \(timeline.story(span))")
        let status = timeline.statuses.last { span.contains($0.time) }?.value
        #expect(status?.adapters?.map(\.adapter) == ["hci1"], "\(timeline.story(span))")
        let other = results.lines("\(step).other.log")
        #expect(!other.contains { $0.contains("scan on") }, "\(other)")
    }

    @Test(
        "A minute in which nobody transmits raises no alarm: people leave, and the radio is quiet and not deaf",
        arguments: adapters)
    func empty(step: String) async throws {
        let timeline = try await timeline(step)
        let span = try timeline.time(of: "quiet")...timeline.time(of: "loud")
        #expect(span.upperBound - span.lowerBound >= 60)
        let radio = Set(timeline.statuses.filter { span.contains($0.time) }.compactMap(\.value.radio))
        #expect(!radio.contains("deaf") && !radio.contains("off"), "\(timeline.story(span))")
        let ended = timeline.records("ended", in: span)
        #expect(ended.map(\.data.endReason) == ["departed", "departed", "departed"], "\(timeline.story(span))")
        try expectHearingAgain(after: "quiet", in: timeline)
    }

    @Test("A radio that answers all and reports nothing is noticed by own beacons that aren't heard")
    func mute() async throws {
        try await expectRecovery(from: "mute", of: "company", as: ["silent"], within: 10, scansAnew: false)
    }

    @Test("A radio that is silent until it is reset is reset")
    func wedged() async throws {
        try await expectRecovery(from: "wedge", of: "company", as: ["silent"], within: 10)
    }

    @Test("Another program's discovery, which has duplicates filtered, is overruled while it goes on and after it")
    func discovery() async throws {
        try await expectUndisturbed("discovery", until: "discovery over")
    }

    @Test("The start of bluetoothd ends our scan, which is resumed")
    func bluetoothDaemon() async throws {
        try await expectUndisturbed("bluetoothd", until: "bluetoothd over")
        try await expectUndisturbed("bluetoothd-again", until: "bluetoothd-again over")
    }

    @Test("A discovery of bluetoothd doesn't keep us from hearing, nor does its being killed in the middle of one")
    func bluetoothDaemonKilled() async throws {
        try await expectUndisturbed("bluetoothd-scan", until: "bluetoothd-killed")
        try await expectUndisturbed("bluetoothd-killed", until: "bluetoothd-killed over")
    }

    @Test("bluetoothd that is stopped switches the adapter off, which is switched on again")
    func bluetoothDaemonStopped() async throws {
        try await expectUndisturbed("bluetoothd-stops", until: "bluetoothd-stops over")
    }

    // MARK: -

    private func timeline(_ step: String) async throws -> FaultTimeline {
        try FaultTimeline(step, from: try await VirtualMachine.faults.results())
    }

    /// The life of a fault: noticed, once; nobody departs; scanning is switched on, and records flow.
    private func expectRecovery(
        from fault: String, of step: String, as reasons: Set<String>, within seconds: Double = 5,
        scansAnew: Bool = true, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let timeline = try await timeline(step)
        try expectNoticed(fault, as: reasons, within: seconds, in: timeline, location)
        try expectNobodyDeparts(fault, in: timeline, location)
        try expectHearingAgain(after: fault, in: timeline, location)
        let span = try timeline.span(of: fault)
        #expect(timeline.deafenings(in: span) <= 1, "\(timeline.story(span))", sourceLocation: location)
        if scansAnew {
            let scans = timeline.controllerLog.contains {
                span.contains($0.time) && $0.value.contains("scan on: duplicate filter off, passive")
            }
            #expect(scans, "\(timeline.story(span))", sourceLocation: location)
        }
    }

    private func expectNoticed(
        _ fault: String, as reasons: Set<String>, within seconds: Double = 5, in timeline: FaultTimeline,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let span = try timeline.span(of: fault)
        let noticed = try timeline.noticed(fault, as: reasons)
        print(
            "\(timeline.step): \(fault) noticed after \(noticed.map { "\(($0 * 100).rounded() / 100) s" } ?? "never")")
        #expect(noticed.map { $0 <= seconds } == true, "\(timeline.story(span))", sourceLocation: location)
        // The kernel switches an adapter off before it removes it.
        let named = timeline.reasons(in: span)
        #expect(!named.isDisjoint(with: reasons), "\(named): \(timeline.story(span))", sourceLocation: location)
    }

    /// Nobody is declared gone because nobody can be heard.
    private func expectNobodyDeparts(
        _ fault: String, in timeline: FaultTimeline, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let span = try timeline.span(of: fault)
        let departed = timeline.records("ended", in: span).filter { $0.data.endReason == "departed" }
        #expect(departed.isEmpty, "\(timeline.story(span))", sourceLocation: location)
        let gone = timeline.presences.filter {
            guard span.contains($0.time) else { return false }
            guard let presence = $0.value else { return true }
            return presence.present == false
        }
        #expect(gone.isEmpty, "\(timeline.story(span))", sourceLocation: location)
    }

    /// The radio is said to hear, and there are records of all three beacons before the step goes on.
    private func expectHearingAgain(
        after fault: String, in timeline: FaultTimeline, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let over = try timeline.span(of: fault).upperBound
        let status = timeline.statuses.last { $0.time <= over }?.value
        #expect(status?.radio == "hearing", "\(timeline.story(over - 30...over))", sourceLocation: location)
        let span = (over - 4)...(over + 0.5)
        let heard = Set((timeline.records("started", in: span) + timeline.records("updated", in: span)).map(\.minor))
        #expect(heard.count == 3, "\(timeline.story(over - 30...over + 1))", sourceLocation: location)
    }

    /// While others use the adapter no beacon is out of hearing for longer than repairs may take, and the last thing
    /// that the controller was told is to report everything.
    private func expectUndisturbed(
        _ begin: String, until end: String, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let timeline = try await timeline("company")
        let span = try timeline.time(of: begin)...timeline.time(of: end)
        let story = timeline.story(span)
        #expect(timeline.records("ended", in: span).isEmpty, "\(story)", sourceLocation: location)
        let scan = timeline.controllerLog.last { $0.time <= span.upperBound && $0.value.hasPrefix("scan o") }
        #expect(scan?.value.hasPrefix("scan on: duplicate filter off") == true, "\(story)", sourceLocation: location)
        // How long a spell the controller spent without reporting everything.
        var deafSince: Double? = nil
        var longest = 0.0
        for line in timeline.controllerLog where line.value.hasPrefix("scan o") && line.time <= span.upperBound {
            if line.value.hasPrefix("scan on: duplicate filter off") {
                if let since = deafSince, line.time >= span.lowerBound {
                    longest = max(longest, line.time - max(since, span.lowerBound))
                }
                deafSince = nil
            } else {
                deafSince = deafSince ?? line.time
            }
        }
        print("\(begin): at most \((longest * 100).rounded() / 100) s without all reports")
        #expect(longest <= 5, "\(story)", sourceLocation: location)
    }
}

extension RadioMessage.Record {
    fileprivate var minor: Int { data.beacon.minor }
}
