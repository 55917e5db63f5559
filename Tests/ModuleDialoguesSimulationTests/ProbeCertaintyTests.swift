import BeaconModel
import SystemIO
import TestValues
import Testing

@testable import ModuleDialogues
@testable import ModuleDialoguesTests
@testable import ModuleEmulator

/// A probe leaves open what isn't certain: nothing false is in its profile or in what it says of the module.
@Suite struct ProbeCertaintyTests {
    typealias Options = RS9116Emulator.Options

    /// Whether an assumption holds of an emulated module.
    static func truth(_ assumption: RS9116Assumption, _ options: Options, wired: Bool) -> Bool {
        switch assumption {
        case .handshakeWith7C: options.acceptedABRD.accepts(0x7C)
        case .nonConnectable: options.nonConnectableRejection == nil
        case .bluetoothAnnounced: options.bluetoothStart == .announced && options.bluetoothLoadingDelay <= .seconds(10)
        case .stopTakesAllParameters: options.stopForm != .statusOnly
        case .nameReadable: options.localNameReply != .refused && options.refusesLocalName == nil
        case .softReset: options.softReset == .works || options.softReset == .worksSilently
        case .doubleStartRefused: options.doubleStart == .refused
        case .controlLinesReset: wired
        case .bootLoaderWaits: !options.bypassesBootloader
        case .loadingAnnounced: options.loadingIsAnnounced
        case .commonErrorsInASCII: options.commonErrors == .ascii
        case .powerInOperatingMode: options.powerInOpermodeRejection == nil
        case .scanBesideAdvertising: options.scanning == .besideAdvertising
        case .secondScanRefused: options.doubleScan == .refused
        }
    }

    /// What a report says that isn't so; empty for a report that can be relied on.
    static func falsehoods(_ line: EmulatedSerialLine, _ options: Options, wired: Bool = false) -> [String] {
        guard let report = line.probed, let module = line.module as? RS9116Emulator else { return [] }
        var found: [String] = []
        for assumption in RS9116Assumption.allCases {
            guard let said = report.profile[assumption] else { continue }
            if said != truth(assumption, options, wired: wired) { found.append("\(assumption.rawValue) = \(said)") }
        }
        for finding in report.findings {
            guard let settles = finding.settles else { continue }
            if report.profile[settles] != finding.holds { found.append("\(finding.question) beside the profile") }
        }
        if !report.firmware.isEmpty, report.firmware != options.firmwareVersion { found.append(report.firmware) }
        if let address = report.address, address != options.address { found.append("\(address)") }
        let left = report.findings.last { $0.question == "the module is left" }?.conclusion ?? ""
        let isRight =
            switch module.state {
            case .waitingForABRD: left.hasPrefix("reset and silent") || left.hasPrefix("unknown")
            case .at(let firmware) where firmware.runningStack == nil:
                left.contains("Bluetooth off") || left.hasPrefix("unknown")
            case .unlatched: left.contains("Bluetooth off") || left.hasPrefix("unknown")
            case .at where !line.air.advertising: left.contains("not advertising") || left.hasPrefix("unknown")
            case .at: left.contains("may still advertise")
            default: left.hasPrefix("unknown")
            }
        if !isRight { found.append("left \(left), and is \(module.state)") }
        return found
    }

    private static func line(_ options: Options) -> EmulatedSerialLine {
        EmulatedSerialLine(probing: RS9116Emulator(options: options))
    }

    // MARK: Bypass

    @Test(
        "A bypassed module gets no handshake byte, however long it takes to start, and is never put into binary mode",
        arguments: [100, 600, 1200, 2500, 4000, 7000])
    func bypassed(start: Int) throws {
        for state in [Options.InitialState.firmwareLoaded, .atMode(opermodeDone: false), .atMode(opermodeDone: true)] {
            var options = Options()
            options.bypassesBootloader = true
            options.resetDelay = .milliseconds(start)
            options.initialState = state
            var line = Self.line(options)
            line.run()
            let report = try #require(line.probed)
            if case .binary? = (line.module as? RS9116Emulator)?.state { Issue.record("binary, from \(state)") }
            #expect(!line.sent.contains([0x7C]) && !line.sent.contains([0x1C]))
            #expect(report.profile[.bootLoaderWaits] == false)
            #expect(report.profile[.handshakeWith7C] == nil)
            #expect(report.profile[.softReset] == true)
            #expect(Self.falsehoods(line, options).isEmpty, "\(Self.falsehoods(line, options))")
        }
    }

    @Test("A bypassed module that resets itself on the way is waited for, and gets no handshake")
    func bypassedAndResettingItself() throws {
        for command in 1...60 {
            var options = Options()
            options.bypassesBootloader = true
            options.initialState = .atMode(opermodeDone: false)
            options.silentResets = [command]
            var line = Self.line(options)
            line.run()
            #expect(!line.sent.contains([0x7C]) && !line.sent.contains([0x1C]), "\(command)")
            #expect(Self.falsehoods(line, options).isEmpty, "\(command): \(Self.falsehoods(line, options))")
        }
    }

    // MARK: Latency

    @Test(
        "A late module leaves questions open and never gets a wrong answer",
        arguments: [0, 100, 300, 700, 900, 1000, 1100, 1500, 1900, 2100, 2500, 3100, 4000, 6000])
    func late(milliseconds: Int) async throws {
        try await DedicatedThread.run(name: "late") {
            let changes: [@Sendable (inout Options) -> Void] = [
                { _ in }, { $0.nonConnectableRejection = 0x4E62 }, { $0.commonErrors = .binary },
                { $0.initialState = .atMode(opermodeDone: true) }, { $0.stopWhileStoppedIsDisallowed = true },
                {
                    $0.initialState = .atMode(opermodeDone: false)
                    $0.nonConnectableRejection = 0x4E62
                },
                {
                    $0.bypassesBootloader = true
                    $0.initialState = .atMode(opermodeDone: false)
                },
            ]
            for (index, change) in changes.enumerated() {
                for wired in [false, true] {
                    var options = Options()
                    options.responseDelay = .milliseconds(milliseconds)
                    change(&options)
                    var line = Self.line(options)
                    line.controlLinesReset = wired
                    line.run()
                    let found = Self.falsehoods(line, options, wired: wired)
                    #expect(found.isEmpty, "\(index), wired \(wired): \(found)")
                    #expect(line.now < .seconds(95), "\(index), wired \(wired)")
                    // The emulated module answers late, but the probe isn't to give up on a slightly slow one.
                    if milliseconds <= 300, index == 0 {
                        let open = RS9116Assumption.probed.filter { line.probed?.profile[$0] == nil }
                        #expect(open.isEmpty, "wired \(wired): \(open)")
                    }
                }
            }
        }
    }

    // MARK: Phones

    @Test("A phone that connects makes an experiment void: it is repeated once, and nothing false is learnt")
    func phone() async throws {
        try await DedicatedThread.run(name: "phone") {
            var options = Options()
            options.nonConnectableRejection = 0x4E62
            options.responseDelay = .milliseconds(10)
            for delay in stride(from: 0, through: 400, by: 10) {
                for stay in [nil, 50, 2000] as [Int?] {
                    for mostConnections in [1, 100] {
                        let (line, connections) = Self.run(options, delay: delay, stay: stay, mostConnections)
                        let name = "\(delay) ms, stays \(stay ?? -1) ms, \(connections) of \(mostConnections)"
                        #expect(connections > 0 || delay > 0, "\(name)")
                        let found = Self.falsehoods(line, options)
                        #expect(found.isEmpty, "\(name): \(found)")
                        // The emulated module can't send a phone away that stays.
                        if mostConnections == 1, stay == 50 {
                            #expect(line.probed?.profile[.doubleStartRefused] == true, "\(name)")
                            #expect(line.probed?.profile[.stopTakesAllParameters] == true, "\(name)")
                        }
                    }
                }
            }
        }
    }

    /// A probe beside a phone that connects so long after the module has begun to advertise.
    private static func run(
        _ options: Options, delay: Int, stay: Int?, _ mostConnections: Int
    ) -> (line: EmulatedSerialLine, connections: Int) {
        var line = line(options)
        var connections = 0
        var seen: Duration?
        var leaves: Duration?
        while !line.isFinished, line.failure == nil, line.now < .seconds(200) {
            line.run(until: line.now + .milliseconds(5))
            if let time = leaves, line.now >= time {
                leaves = nil
                line.disturb { $0.centralDisconnects() }
            }
            guard line.air.advertising else {
                seen = nil
                continue
            }
            seen = seen ?? line.now
            if let since = seen, line.now - since >= .milliseconds(delay), connections < mostConnections {
                connections += 1
                line.disturb { $0.centralConnects() }
                leaves = stay.map { line.now + .milliseconds($0) }
            }
        }
        return (line, connections)
    }

    // MARK: The end

    @Test("What is said of the state that a module is left in is so, whatever the module")
    func leaving() async throws {
        try await DedicatedThread.run(name: "leaving") {
            for variation in ModuleProbeTests.variations {
                for wired in [false, true] {
                    var options = Options()
                    variation.change(&options)
                    var line = Self.line(options)
                    line.controlLinesReset = wired
                    line.run()
                    let found = Self.falsehoods(line, options, wired: wired)
                    #expect(found.isEmpty, "\(variation.name), wired \(wired): \(found)")
                }
            }
        }
    }
}
