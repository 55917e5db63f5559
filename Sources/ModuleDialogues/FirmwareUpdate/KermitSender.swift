/// A program that sends a file by Kermit: C-Kermit, or G-Kermit if that is not installed.
///
/// Boot loaders differ in how they interpret Kermit's prefixes. Their manufacturers tested them with these programs.
public struct KermitSender: Equatable, Sendable {
    /// The supported programs, the preferred one first.
    public enum Program: String, CaseIterable, Sendable {
        /// C-Kermit.
        case cKermit = "ckermit"
        /// G-Kermit.
        case gKermit = "gkermit"

        package var fileNames: [String] {
            switch self {
            case .cKermit: ["ckermit", "kermit"]
            case .gKermit: ["gkermit"]
            }
        }
    }

    /// The kind of program.
    public let program: Program
    /// Path of the executable file.
    public let path: String

    /// Creates a sender from its parts.
    public init(program: Program, path: String) {
        self.program = program
        self.path = path
    }

    /// File descriptors on which the program expects its line. C-Kermit's is named in its arguments.
    package var lineDescriptors: [CInt] {
        switch program {
        case .cKermit: [3]
        case .gKermit: [0, 1]
        }
    }

    /// Returns the program's arguments: binary, block check 1, packets of 94, one at a time, all control characters
    /// prefixed, no parity.
    ///
    /// - Parameter file: a path without characters that have a meaning to C-Kermit.
    package func arguments(file: String) -> [String] {
        switch program {
        case .cKermit:
            let settings = [
                "set carrier-watch off", "set line 3", "set speed 115200", "set flow none", "set parity none",
                "set file type binary", "set file names literal", "set prefixing all", "set streaming off",
                "set window 1", "set send packet-length 94", "set receive packet-length 94", "set repeat counts off",
                "set attributes off", "set block-check 1", "set send timeout 5 fixed", "set receive timeout 5",
                "set retry-limit 10",
                // Without this, C-Kermit first types a command for a Kermit at a shell prompt.
                "set protocol kermit {} {} {}",
            ]
            let commands = settings + ["send \(file) firmware.rps", "if failure exit 1", "exit 0"]
            // No start-up file, no replies to a terminal, quiet.
            return ["-Y", "-H", "-q", "-C", commands.joined(separator: ", ")]
        case .gKermit:
            // External protocol (the program must not call stty), binary, literal names, no streaming, quiet.
            return [
                "-X", "-i", "-P", "-S", "-q", "-p", "n", "-e", "94", "-b", "5", "-a", "firmware.rps", "-s", file,
            ]
        }
    }
}
