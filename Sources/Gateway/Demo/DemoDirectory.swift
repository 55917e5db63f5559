import BeaconModel
import GatewayDaemon
import Glibc
import SystemIO

/// Temporary directory that is removed at the end, with the directories in it.
struct DemoDirectory {
    let path: String

    init() throws(SystemError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(parent)/beacon-gateway-demo-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SystemError("create a directory in \(parent)", errorNumber: errno)
        }
        path = String(decoding: template.dropLast().map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
    }

    func remove() {
        for name in SystemFiles.names(path) {
            let entry = path + "/" + name
            guard unlink(entry) != 0 else { continue }
            for inner in SystemFiles.names(entry) { unlink(entry + "/" + inner) }
            rmdir(entry)
        }
        rmdir(path)
    }
}
