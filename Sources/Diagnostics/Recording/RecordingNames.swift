import OperatorText

/// File names of a recording. The newest file has the requested name; older ones have a number before the extension.
package struct RecordingNames: Equatable, Sendable {
    package var path: String
    /// Maximum number of files, at least 1.
    package var count: Int

    package init(path: String, count: Int) {
        self.path = path
        self.count = count
    }

    /// Returns the path of a file.
    ///
    /// - Parameter age: 0 for the newest file.
    package func path(age: Int) -> String {
        if age == 0 { return path }
        let name = path.fileName
        // A name whose only dot is at its beginning has no extension.
        guard let point = name.lastIndex(of: "."), point != name.startIndex else { return "\(path).\(age)" }
        return "\(path.dropLast(name.count))\(name[..<point]).\(age)\(name[point...])"
    }

    /// Paths of all files, newest first.
    package var paths: [String] { (0..<count).map { path(age: $0) } }
}
