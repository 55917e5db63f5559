import Glibc

/// The files of this repository that tests read.
package enum Repository {
    /// The folder above these sources that has a Package.swift.
    package static let root: String = {
        var directory = #filePath[...]
        while let slash = directory.lastIndex(of: "/") {
            directory = directory[..<slash]
            if access(directory + "/Package.swift", F_OK) == 0 { return String(directory) }
        }
        return "."
    }()

    /// Reads a whole file.
    ///
    /// - Parameter path: Relative to the root.
    package static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(root + "/" + path, "r") else { throw ReadError(path: path, errorNumber: errno) }
        defer { fclose(file) }
        var contents: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { contents += buffer[..<count] }
        return contents
    }

    /// A file could not be opened.
    package struct ReadError: Error {
        package var path: String
        package var errorNumber: CInt
    }
}
