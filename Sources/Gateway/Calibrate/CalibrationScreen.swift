import CommandSupport
import Glibc

/// Output device of a calibration.
struct CalibrationScreen {
    /// Whether lines can be overwritten.
    var isInteractive: Bool
    /// Whether the device shows Unicode.
    var isUTF8: Bool
    /// Size in characters.
    var size: (rows: Int, columns: Int)
    var write: (String) throws -> Void

    /// Standard output.
    static var standard: CalibrationScreen {
        CalibrationScreen(isInteractive: Terminal.isInteractive, isUTF8: isUTF8, size: Terminal.size) {
            try Terminal.write($0)
        }
    }

    func print(_ line: String) throws { try write(line + "\n") }

    /// Whether the environment's locale uses UTF-8.
    private static var isUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map { variable($0) }.first { !$0.isEmpty }?.lowercased() ?? ""
        return locale.contains("utf-8") || locale.contains("utf8")
    }

    /// Returns an environment variable; empty when it is not set.
    private static func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
}
