import TestValues

/// Programs of this package, as built beside the running tests.
package enum BuiltProgram {
    package static func path(_ name: String) -> String { directory + "/" + name }

    private static let directory: String = {
        // The runner is told where the test bundle is; that is where everything else was built too.
        let arguments = CommandLine.arguments
        let bundle = arguments.first { $0.hasSuffix(".xctest") } ?? Repository.root + "/.build/debug/x.xctest"
        return bundle.split(separator: "/").dropLast().reduce(bundle.hasPrefix("/") ? "" : ".") { $0 + "/" + $1 }
    }()
}
