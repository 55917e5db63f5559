import BeaconModel
import EmulatedModules
import ModuleEmulator
import TestSupport
import Testing

/// The built program, a real broker, and emulated modules at pseudo-terminals, one of which listens.
@Suite("A module that listens", .timeLimit(.minutes(10))) struct ListeningModuleTests {
    private final class Bench: Sendable {
        let directory: TemporaryDirectory
        let modules: [EmulatedModule]
        let air: EmulatedAir
        let daemon: ChildProcess
        let received: LineStream

        static let root = "beacons/v1/s/b/1/g"
        static let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"

        static func inventory(_ directory: TemporaryDirectory, listens: Bool) -> String {
            "name,module,uuid,major,minor,room,x,y,z,listen\n"
                + "kitchen,\(directory.path)/port0,\(uuid),3,1,Kitchen,1,2,2.5,\(listens ? "yes" : "no")\n"
                + "badge,\(directory.path)/port1,\(uuid),3,2,,,,,\n"
        }

        /// - Parameter change: of the module that listens.
        init(_ broker: TestBroker, _ change: (inout RS9116Emulator.Options) -> Void = { _ in }) async throws {
            directory = try TemporaryDirectory()
            var modules: [EmulatedModule] = []
            for index in 0..<2 {
                var options = RS9116Emulator.Options()
                options.loadingDelay = .milliseconds(1)
                options.bluetoothLoadingDelay = .milliseconds(1)
                options.address = BluetoothAddress(bits: 0x88DA_1A00_0000 + UInt64(index))
                if index == 0 { change(&options) }
                modules.append(try EmulatedModule(options: options, link: "\(directory.path)/port\(index)"))
            }
            self.modules = modules
            air = try EmulatedAir(modules)
            _ = try directory.write("inventory.csv", Self.inventory(directory, listens: true))
            let configuration = try directory.write(
                "gateway.toml",
                """
                inventory = "inventory.csv"
                [place]
                site = "s"
                building = "b"
                floor = "1"
                gateway = "g"
                [metrics]
                listen = "off"
                [mqtt]
                host = "127.0.0.1"
                port = \(broker.port)
                [state]
                directory = "\(directory.path)"
                [interactions]
                update-interval = "1s"
                """)
            received = try await broker.subscribe(to: Self.root + "/#")
            daemon = try ChildProcess(BuiltProgram.path("beacon-gateway"), ["run", "--config", configuration])
        }

        func state(_ parts: String...) async -> String? {
            await received.first { line in
                line.contains("/module/kitchen/state ") && parts.allSatisfy { line.contains($0) }
            }
        }

        /// Of the other module's beacon.
        func interaction(_ type: String) async -> String? {
            await received.first { line in
                line.contains("/beacon/\(Self.uuid)/3/2/interaction ")
                    && line.contains(#""type":"interaction.\#(type)""#)
            }
        }

        func end() async {
            daemon.send(signal: 15)
            _ = await daemon.exitStatus()
            air.stop()
            for module in modules { module.stop() }
        }
    }

    @Test("is a receiver of its own: whom it hears is a record at its place, and lost when it is unplugged")
    func hears() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker)
            #expect(await bench.state(#""listening":{"#, #""state":"listening""#) != nil)
            let started = await bench.interaction("started")
            #expect(
                started?.contains(#""ear":"kitchen","floor":"1","gateway":"g","position":{"x":1,"y":2,"z":2.5"#)
                    == true, "\(started ?? "")")
            #expect(started?.contains(#""room":"Kitchen""#) == true)
            #expect(bench.modules.allSatisfy { $0.currentAir.advertising })
            let health = await bench.received.first {
                $0.contains("/health ") && $0.contains(#""listeners":[{"#) && $0.contains(#""state":"hearing""#)
            }
            #expect(health != nil)
            bench.modules[0].unplug()
            let ended = await bench.interaction("ended")
            #expect(ended?.contains(#""endReason":"lost""#) == true, "\(ended ?? "")")
            await bench.end()
        }
    }

    @Test("ceases to at a reload, without a gap on the air, and is left advertising and not listening at the end")
    func reload() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker)
            #expect(await bench.interaction("started") != nil)
            _ = try bench.directory.write("inventory.csv", Bench.inventory(bench.directory, listens: false))
            bench.daemon.send(signal: 1)
            let ended = await bench.interaction("ended")
            #expect(ended?.contains(#""endReason":"lost""#) == true, "\(ended ?? "")")
            #expect(bench.modules[0].currentAir.advertising)
            await bench.end()
        }
    }

    @Test("takes turns where its firmware can't do both, and advertises when the gateway has ended")
    func turns() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker) { $0.scanning = .refusedWhileAdvertising }
            #expect(await bench.state(#""listening":{"#, #""state":"in-turns""#) != nil)
            let started = await bench.interaction("started")
            #expect(started?.contains(#""ear":"kitchen""#) == true, "\(started ?? "")")
            bench.daemon.send(signal: 15)
            _ = await bench.daemon.exitStatus()
            #expect(bench.modules[0].currentAir.advertising)
            bench.air.stop()
            for module in bench.modules { module.stop() }
        }
    }

    @Test("with a flood of reports on its line is well, and obeys")
    func flood() async throws {
        try await TestBroker.with { broker in
            let bench = try await Bench(broker) {
                $0.crowd = 900
                $0.malformedReportPeriod = 10
            }
            let state = await bench.state(#""listening":{"#, #""state":"listening""#)
            #expect(state != nil)
            #expect(await bench.interaction("started") != nil)
            let lossy = await bench.received.first {
                $0.contains("/health ") && $0.contains(#""listeners":[{"#) && !$0.contains(#""unreadable":0"#)
            }
            #expect(lossy != nil)
            #expect(bench.modules[0].currentAir.advertising)
            await bench.end()
        }
    }
}
