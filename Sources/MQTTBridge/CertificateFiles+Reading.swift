import Glibc
import Publishing

extension CertificateFiles {
    /// Reads the state of a configuration's files.
    init(reading configuration: TLSConfiguration?) {
        let paths = [configuration?.authority.path, configuration?.certificate, configuration?.key]
        self.init(
            paths.compactMap(\.self).map { path in
                var status = stat()
                guard stat(path, &status) == 0 else { return .missing }
                return File(
                    inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: status.st_mtim.tv_sec,
                    nanoseconds: status.st_mtim.tv_nsec)
            })
    }
}
