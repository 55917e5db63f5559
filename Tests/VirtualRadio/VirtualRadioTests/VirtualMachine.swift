import Glibc
import SystemIO
import TestSupport

/// One run of the virtual machine, shared by all tests: a real kernel, a virtual controller, the real program.
actor VirtualMachine {
    static let shared = VirtualMachine()

    private var run: Task<Results, any Error>?

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

    /// Boots at the first call.
    func results() async throws -> Results {
        if let run { return try await run.value }
        let run = Task { try await Self.boot() }
        self.run = run
        return try await run.value
    }

    private static func boot() async throws -> Results {
        let scripts = BuiltProgram.root + "/Tests/VirtualRadio"
        let payload = try TemporaryDirectory()
        let output = try TemporaryDirectory()
        let modules = try await PluggableModules()
        var log: [String] = []
        let scenarios = ["beacons", "no-beacons"].map { "\(scripts)/scenarios/\($0).txt" }
        let guest = [
            "run", "helpers.sh", "scanning.sh", "modules.sh", "hotplug.sh", "gateway.toml", "supervisor.toml",
            "modules.csv", "hotplug.toml", "hotplug.csv", "mosquitto.conf",
        ].map { "\(scripts)/guest/\($0)" }
        let steps = [
            ["\(scripts)/build-base.sh"],
            [
                "\(scripts)/make-payload.sh", payload.path + "/payload", BuiltProgram.path("beacon-gateway"),
                BuiltProgram.path("VirtualController"), ChildProcess.find("mosquitto"),
                ChildProcess.find("mosquitto_sub"),
            ] + guest + scenarios,
            [
                "\(scripts)/run-vm.sh", "-t", "240", "-u", modules.directory.path, "-o", output.path,
                payload.path + "/payload",
            ],
        ]
        var status: Int32 = 0
        for step in steps {
            let (code, lines, errors) = try await ChildProcess.run(step[0], Array(step.dropFirst()))
            log += lines + errors
            status = code
            if code != 0 { break }
        }
        let emulator = await modules.stop()
        if emulator != 0 {
            log.append("the emulator of the modules outside ended with status \(emulator)")
            if status == 0 { status = emulator }
        }
        _ = try? await ChildProcess.run("rm", ["-rf", payload.path + "/payload"])
        return Results(status: status, log: log.suffix(40).joined(separator: "\n"), directory: output)
    }
}
