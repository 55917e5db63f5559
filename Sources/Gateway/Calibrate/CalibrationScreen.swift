import CommandSupport
import Glibc

/// Where a calibration is shown.
struct CalibrationScreen {
    /// Whether what was drawn can be drawn over.
    var isInteractive: Bool
    /// Whether Unicode is shown.
    var isUTF8: Bool
    /// In characters.
    var size: (rows: Int, columns: Int)
    var write: (String) throws -> Void

    /// Standard output.
    static var standard: CalibrationScreen {
        CalibrationScreen(isInteractive: Terminal.isInteractive, isUTF8: isUTF8, size: Terminal.size) {
            try Terminal.write($0)
        }
    }

    func print(_ line: String) throws { try write(line + "\n") }

    /// Of the environment's locale.
    private static var isUTF8: Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map { variable($0) }.first { !$0.isEmpty }?.lowercased() ?? ""
        return locale.contains("utf-8") || locale.contains("utf8")
    }

    /// Empty when it isn't set.
    private static func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }
}
