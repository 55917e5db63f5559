import Glibc

/// Programs of this package, as built beside the running tests.
public enum BuiltProgram {
    public static func path(_ name: String) -> String { directory + "/" + name }

    /// The repository: the folder above these sources that has a Package.swift.
    public static let root: String = {
        var directory = #filePath[...]
        while let slash = directory.lastIndex(of: "/") {
            directory = directory[..<slash]
            if access(directory + "/Package.swift", F_OK) == 0 { return String(directory) }
        }
        return "."
    }()

    private static let directory: String = {
        // The runner is told where the test bundle is; that is where everything else was built too.
        let arguments = CommandLine.arguments
        let bundle = arguments.first { $0.hasSuffix(".xctest") } ?? root + "/.build/debug/x.xctest"
        return bundle.split(separator: "/").dropLast().reduce(bundle.hasPrefix("/") ? "" : ".") { $0 + "/" + $1 }
    }()
}
