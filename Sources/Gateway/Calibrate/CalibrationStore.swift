import BeaconModel
import GatewayCore
import Glibc
import Proximity
import SystemIO

/// The file in which the table is kept.
struct CalibrationStore: Sendable {
    var path: String

    /// An empty table when there is no such file.
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

    /// Changes the table as it is at this moment, and replaces the file.
    ///
    /// - Throws: `SystemError`, `CalibrationFileError`; then the file is as it was.
    func update(_ change: (inout Calibration) -> Void) throws -> Calibration {
        var table = try read()
        change(&table)
        let text = Array(CalibrationFile.text(table).utf8)
        // Nothing is written that couldn't be read again.
        _ = try CalibrationFile.parse(text, path: path)
        try FileContents.replace(path, with: text)
        return table
    }
}
