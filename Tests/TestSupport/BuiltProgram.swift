import Glibc

/// Programs of this package, as built beside the running tests.
public enum BuiltProgram {
    public static func path(_ name: String) -> String { directory + "/" + name }

    /// The repository.
    public static func root(file: String = #filePath) -> String {
        file.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
    }

    private static let directory: String = {
        // The runner is told where the test bundle is; that is where everything else was built too.
        let arguments = CommandLine.arguments
        let bundle = arguments.first { $0.hasSuffix(".xctest") } ?? root() + "/.build/debug/x.xctest"
        return bundle.split(separator: "/").dropLast().reduce(bundle.hasPrefix("/") ? "" : ".") { $0 + "/" + $1 }
    }()
}
