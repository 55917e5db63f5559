/// The state of a TLS configuration's files at one time, which shows whether they were renewed.
package struct CertificateFiles: Equatable, Sendable {
    /// The state of one file.
    package struct File: Equatable, Sendable {
        package var inode: UInt64
        /// Size in bytes; -1 if there is no file.
        package var size: Int64
        /// The time of the last modification, in seconds and nanoseconds.
        package var seconds: Int
        package var nanoseconds: Int

        package init(inode: UInt64, size: Int64, seconds: Int, nanoseconds: Int) {
            self.inode = inode
            self.size = size
            self.seconds = seconds
            self.nanoseconds = nanoseconds
        }

        /// A file that does not exist.
        package static let missing = File(inode: 0, size: -1, seconds: 0, nanoseconds: 0)
    }

    package var files: [File]

    package init(_ files: [File]) { self.files = files }
}
