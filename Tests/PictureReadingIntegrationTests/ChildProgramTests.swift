import BeaconModel
import Glibc
import SystemIO
import Testing

@Suite("Programs that this process starts", .timeLimit(.minutes(10))) struct ChildProgramTests {
    /// Starts a program whose output can be read, and that has `bytes` as descriptor 3.
    private func start(
        _ arguments: [String], _ bytes: [UInt8], _ change: (inout ChildProgram) -> Void
    ) throws -> (reading: CInt, identifier: Int32) {
        var descriptors = ChildDescriptors()
        let memory = try descriptors.memory("text", bytes)
        let (reading, writing) = try descriptors.pipe()
        var program = ChildProgram(arguments)
        program.give(.descriptor(writing), as: STDOUT_FILENO)
        program.give(.nowhere, as: STDERR_FILENO)
        program.give(.descriptor(memory), as: 3)
        change(&program)
        let identifier = try program.start()
        return (descriptors.take(reading), identifier)
    }

    /// Runs a program, and reads until nobody has the other end of its output.
    private func run(
        _ arguments: [String], _ bytes: [UInt8] = [], _ change: (inout ChildProgram) -> Void = { _ in }
    ) throws -> (output: [UInt8], status: Int32) {
        let (reading, identifier) = try start(arguments, bytes, change)
        defer { close(reading) }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(reading, &buffer, buffer.count)
            if count > 0 { output += buffer[0..<count] } else if count == 0 || errno != EINTR { break }
        }
        return (output, ChildProgram.wait(for: identifier))
    }

    private func script(_ text: String) -> [String] { ["/bin/sh", "-c", text] }

    @Test func `A program reads what is in memory from its beginning`() throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try run(script("cat <&3"), bytes).output == bytes)
    }

    @Test func `The status of a program is its own, or 128 and the number of its signal`() throws {
        #expect(try run(script("exit 7")).status == 7)
        #expect(try run(script("kill -9 $$")).status == 128 + SIGKILL)
    }

    @Test func `A program has no environment unless it is given that of this process`() throws {
        #expect(try run(["/usr/bin/env"]).output.isEmpty)
        let given = try run(["/usr/bin/env"]) { $0.hasEnvironment = true }
        #expect(!given.output.isEmpty)
    }

    @Test func `Standard input is empty`() throws {
        let (output, status) = try run(script("cat"))
        #expect(output.isEmpty && status == 0)
    }

    @Test func `A program can be kept from inheriting descriptors`() throws {
        let (output, status) = try run(script("cat <&3"), [1]) { $0.closedFrom = 3 }
        #expect(output.isEmpty && status != 0)
    }

    @Test func `The last descriptor that is given for a number counts`() throws {
        let (output, status) = try run(script("cat <&3"), [1, 2]) { $0.give(.nowhere, as: STDOUT_FILENO) }
        #expect(output.isEmpty && status == 0)
    }

    @Test func `A program that is not there cannot be started`() {
        #expect(throws: SystemError.self) { _ = try run(["/nowhere/program"]) }
    }
}
