import CMosquitto
import Glibc

/// A status with which a call of libmosquitto has failed, and the system's error number at that time.
struct MosquittoFailure: Error {
    var status: Int32
    var errorNumber: Int32

    static let noConnection = MosquittoFailure(status: Int32(MOSQ_ERR_NO_CONN.rawValue), errorNumber: 0)

    /// A system call that failed beside the library's.
    static func system(_ errorNumber: Int32) -> MosquittoFailure {
        MosquittoFailure(status: Int32(MOSQ_ERR_ERRNO.rawValue), errorNumber: errorNumber)
    }

    /// Whether there is no connection, which is no error of its own: its end is reported elsewhere.
    var isNoConnection: Bool { status == Self.noConnection.status }

    /// Throws unless a status means success. Must follow the call directly, because `errno` belongs to it.
    static func check(_ status: Int32) throws(MosquittoFailure) {
        if status == Int32(MOSQ_ERR_SUCCESS.rawValue) { return }
        throw MosquittoFailure(status: status, errorNumber: errno)
    }
}
