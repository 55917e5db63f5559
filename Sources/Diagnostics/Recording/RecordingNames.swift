import OperatorText

/// The names of a recording's files: the newest has the name that was asked for, older ones a number before its
/// extension.
package struct RecordingNames: Equatable, Sendable {
    package var path: String
    /// Files at most, from 1.
    package var count: Int

    package init(path: String, count: Int) {
        self.path = path
        self.count = count
    }

    /// - Parameter age: 0 for the newest.
    package func path(age: Int) -> String {
        if age == 0 { return path }
        let name = path.fileName
        // A name that begins with its only point has no extension.
        guard let point = name.lastIndex(of: "."), point != name.startIndex else { return "\(path).\(age)" }
        return "\(path.dropLast(name.count))\(name[..<point]).\(age)\(name[point...])"
    }

    /// All of them, the newest first.
    package var paths: [String] { (0..<count).map { path(age: $0) } }
}
