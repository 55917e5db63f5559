import BeaconModel
import GatewayCore
import Glibc
import Proximity
import SystemIO

/// File that holds the calibration table.
struct CalibrationStore: Sendable {
    var path: String

    /// Reads the table; returns an empty one when the file does not exist.
    ///
    /// - Throws: `SystemError`, `CalibrationFileError`.
    func read() throws -> Calibration {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileContents.read(path, limit: CalibrationFile.longest)
        } catch  where error.errorNumber == ENOENT {
            return Calibration()
        }
        return try CalibrationFile.parse(bytes, path: path)
    }

    /// Applies a change to the current contents of the file, and replaces the file.
    ///
    /// - Throws: `SystemError`, `CalibrationFileError`; the file is then unchanged.
    func update(_ change: (inout Calibration) -> Void) throws -> Calibration {
        var table = try read()
        change(&table)
        let text = Array(CalibrationFile.text(table).utf8)
        // Write nothing that could not be read again.
        _ = try CalibrationFile.parse(text, path: path)
        try FileContents.replace(path, with: text)
        return table
    }
}
