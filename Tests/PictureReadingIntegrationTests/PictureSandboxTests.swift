import Glibc
import PictureReading
import TestSupport
import Testing

@Suite("The sandbox for pictures", .timeLimit(.minutes(2))) struct PictureSandboxTests {
    /// Runs a script in the place of tesseract, with everything else as it is for tesseract.
    private func run(
        _ script: String, picture: [UInt8] = [], limit: Int = 65_536, seconds: Int = 30
    ) throws -> SandboxedOutput {
        try PictureSandbox.run(
            ["/usr/bin/bash", "-c", script], on: picture, keepsErrors: true, limit: limit,
            until: ContinuousClock.now + .seconds(seconds))
    }

    private func lines(_ output: SandboxedOutput) -> [String] {
        String(decoding: output.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("The machine can make the sandbox") func check() throws {
        try PictureSandbox.check()
    }

    @Test("A program reaches no network, not even this machine") func network() async throws {
        let listener = try LoopbackSocket.listen()
        defer { close(listener.descriptor) }
        let connect = "exec 5<>/dev/tcp/127.0.0.1/\(listener.port)"
        // Outside of the sandbox it does.
        let outside = try await ChildProcess.run("/usr/bin/bash", ["-c", connect])
        try #require(outside.status == 0)
        let output = try run("\(connect) && echo reached")
        #expect(output.status != 0 && !lines(output).contains("reached"))
        #expect(try run("exec 5<>/dev/tcp/192.0.2.1/80").status != 0)
    }

    @Test(
        "A program sees no file of this machine",
        arguments: [
            "/etc/passwd", "/etc/hostname", "/home", "/root", "/var", "/run", "/proc/self/status", "/sys", "/opt",
        ])
    func files(path: String) throws {
        #expect(try run("test -e \(path)").status == 1)
    }

    @Test(
        "A program can write nowhere but in its own /tmp",
        arguments: ["/x", "/usr/x", "/usr/bin/x", "/picture", "/dev/x"])
    func writing(path: String) throws {
        #expect(try run("echo x > \(path)").status != 0)
        #expect(access("/usr/x", F_OK) != 0)
        #expect(try run("echo x > /tmp/x && cat /tmp/x").bytes == Array("x\n".utf8))
        #expect(try run("test -e /tmp/x").status == 1)
        #expect(try run("for name in {1..40}; do head -c 1000000 /dev/zero > /tmp/$name || exit 9; done").status == 9)
    }

    @Test("A program gets the picture, and nothing else of this process") func inheritance() throws {
        let picture = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try run("cat /picture", picture: picture, limit: 1 << 20).bytes == picture)
        let variables = try lines(run("env")).compactMap { $0.split(separator: "=").first }
        let allowed: Set<Substring> = ["PATH", "LC_ALL", "OMP_THREAD_LIMIT", "PWD", "SHLVL", "_", "OLDPWD"]
        #expect(Set(variables).isSubset(of: allowed))
        // A descriptor that is open across exec, as those of careless libraries are.
        let open = dup(STDERR_FILENO)
        defer { close(open) }
        #expect(try lines(run("for i in {3..300}; do (exec <&$i) 2>/dev/null && echo $i; done; true")) == [])
    }

    @Test("Memory, processor time, processes and files are limited") func limits() throws {
        let output = try run("prlimit --raw --noheadings -o RESOURCE,SOFT,HARD")
        for limit in ["AS 1073741824", "CPU 20", "NPROC 16", "FSIZE 1048576", "CORE 0"] {
            let soft = limit.split(separator: " ").last ?? ""
            #expect(lines(output).contains("\(limit) \(soft)"), "\(limit)")
        }
        #expect(try run("head -c 2000000 /dev/zero > /tmp/x").status != 0)
    }

    @Test("A program that prints without end is killed") func endless() throws {
        let output = try run("yes", limit: 1000)
        #expect(output.isCut && output.bytes.count == 1000 && output.status == 137)
    }

    @Test("A program that does nothing is killed at the deadline, with its children") func idle() throws {
        let start = ContinuousClock.now
        let output = try run("sleep 600 & sleep 600", seconds: 1)
        #expect(output.isCut && output.status == 137)
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test("The status of a program is told") func status() throws {
        #expect(try run("exit 3").status == 3)
        #expect(try run("kill -9 $$").status == 137)
    }
}
