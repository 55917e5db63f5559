import Glibc
import LibFuzzer

/// A program that runs under libFuzzer's options.
package enum Driver {
    package typealias Callback = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

    /// Calls `callback` with one input after another, and ends the program.
    package static func run(_ callback: Callback) -> Never {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, callback))
    }

    /// Takes what was found for one input: `nil` is good, anything else ends the program as a trap does.
    package static func conclude(_ violation: String?) -> CInt {
        if let violation { fatalError(violation) }
        return 0
    }
}
