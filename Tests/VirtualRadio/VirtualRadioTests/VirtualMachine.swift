import Glibc
import SystemIO
import TestSupport
import TestValues

/// One run of the virtual machine, shared by all tests of it: a real kernel, a virtual controller, the real program.
actor VirtualMachine {
    /// Scanning, modules, the daemon.
    static let shared = VirtualMachine(script: "run", secondsLimit: 900)
    /// Modules that come and go.
    static let hotplug = VirtualMachine(script: "run-hotplug", secondsLimit: 600, hasUSB: true)
    /// What can happen to an adapter.
    static let faults = VirtualMachine(
        script: "run-faults", secondsLimit: 1200,
        programs: ["hciconfig", "btmgmt", "bluetoothctl", "dbus-daemon", bluetoothDaemon])
    /// As many reports as one processor can take.
    static let oneProcessor = VirtualMachine(script: "run-rates", secondsLimit: 150, isOptimized: true)
    /// As many reports as two can take.
    static let twoProcessors = VirtualMachine(
        script: "run-rates", secondsLimit: 300, processors: 2, isOptimized: true)

    /// Debian's place for it, which is in nobody's PATH.
    private static let bluetoothDaemon = "/usr/libexec/bluetooth/bluetoothd"

    private let script: String
    private let secondsLimit: Int
    private let processors: Int
    private let isOptimized: Bool
    private let hasUSB: Bool
    private let programs: [String]
    private var run: Task<Results, any Error>?

    /// - Parameter isOptimized: the gateway is that of `swift build -c release`: an emulated processor takes ten times
    ///   as long for everything.
    private init(
        script: String, secondsLimit: Int, processors: Int = 1, isOptimized: Bool = false, hasUSB: Bool = false,
        programs: [String] = []
    ) {
        self.script = script
        self.secondsLimit = secondsLimit
        self.processors = processors
        self.isOptimized = isOptimized
        self.hasUSB = hasUSB
        self.programs = programs
    }

    struct Results: Sendable {
        /// That of the guest's script; see run-vm.sh.
        var status: Int32
        /// What was printed on the way, for a failed test.
        var log: String
        /// What the guest wrote.
        private let files: [String: String]

        fileprivate init(status: Int32, log: String, directory: TemporaryDirectory) {
            self.status = status
            self.log = log
            files = Dictionary(
                uniqueKeysWithValues: directory.names.map { name in
                    let contents = try? FileContents.read(directory.path + "/" + name, limit: 64 * 1024 * 1024)
                    return (name, String(decoding: contents ?? [], as: UTF8.self))
                })
        }

        /// A file that the guest wrote; `nil` if it didn't.
        func file(_ name: String) -> String? { files[name] }

        func lines(_ name: String) -> [String] {
            (file(name) ?? "").split(separator: "\n").map { String($0.filter { $0 != "\r" }) }
        }
    }

    /// Boots at the first call, when no other machine runs.
    func results() async throws -> Results {
        if let run { return try await run.value }
        let run = Task { try await MachineQueue.shared.add { try await self.boot() } }
        self.run = run
        return try await run.value
    }

    private func boot() async throws -> Results {
        let scripts = Repository.root + "/Tests/VirtualRadio"
        let payload = try TemporaryDirectory()
        let output = try TemporaryDirectory()
        let gateway =
            isOptimized ? Repository.root + "/.build/release/beacon-gateway" : BuiltProgram.path("beacon-gateway")
        let modules = hasUSB ? try await PluggableModules() : nil
        var log: [String] = []
        // All there is but those scripts that are other machines'.
        let guest = try await files(in: scripts + "/guest", but: ["init", "run*"])
        let scenarios = try await files(in: scripts + "/scenarios")
        let steps = [
            ["\(scripts)/build-base.sh"],
            [
                "\(scripts)/make-payload.sh", payload.path + "/payload", gateway,
                BuiltProgram.path("VirtualController"), BuiltProgram.path("ExchangeProbe"),
                ChildProcess.find("mosquitto"), ChildProcess.find("mosquitto_sub"),
                "run=\(scripts)/guest/\(script)",
            ] + programs.map(ChildProcess.find) + guest + scenarios,
            ["\(scripts)/run-vm.sh", "-t", "\(secondsLimit)", "-p", "\(processors)", "-o", output.path]
                + (modules.map { ["-u", $0.directory.path] } ?? []) + [payload.path + "/payload"],
        ]
        var status: Int32 = 0
        for step in steps {
            let (code, lines, errors) = try await ChildProcess.run(step[0], Array(step.dropFirst()))
            log += lines + errors
            status = code
            if code != 0 { break }
        }
        if let emulator = await modules?.stop(), emulator != 0 {
            log.append("the emulator of the modules outside ended with status \(emulator)")
            if status == 0 { status = emulator }
        }
        _ = try? await ChildProcess.run("rm", ["-rf", payload.path + "/payload"])
        return Results(status: status, log: log.suffix(40).joined(separator: "\n"), directory: output)
    }

    private func files(in directory: String, but excluded: [String] = []) async throws -> [String] {
        let tests = excluded.flatMap { ["!", "-name", $0] }
        return try await ChildProcess.run("find", [directory, "-type", "f"] + tests).output.sorted()
    }
}

/// Has machines run one after the other: two at once would take the time from each other that they are tested for.
private actor MachineQueue {
    static let shared = MachineQueue()

    private var last: Task<Void, Never>?

    func add<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let before = last
        let task = Task {
            await before?.value
            return try await work()
        }
        last = Task { _ = try? await task.value }
        return try await task.value
    }
}
