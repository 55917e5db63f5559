import BeaconModel
import CMosquitto
import Glibc
package import Publishing
import SystemIO

extension MQTTError.Cause {
    /// What a status of libmosquitto means at this point of a connection.
    ///
    /// - Parameters:
    ///   - errorNumber: 0 where no system call has failed.
    ///   - isAccepted: whether the broker had accepted the connection.
    ///   - isReset: whether the kernel knows that the other side reset it.
    package static func ofEnd(
        status: Int32, errorNumber: Int32, isAccepted: Bool, isReset: @autoclosure () -> Bool
    ) -> Self {
        // The library has this status also where it understood nothing of what came, or where there was an end of the file.
        let isEnd =
            status == Int32(MOSQ_ERR_CONN_LOST.rawValue) || status == Int32(MOSQ_ERR_ERRNO.rawValue) && errorNumber == 0
        if isEnd, !isAccepted { return .closed }
        // It has one status for a connection that was reset and one that was closed in order.
        if isEnd { return isReset() ? .system(ECONNRESET) : .library(.connectionLost) }
        return status == Int32(MOSQ_ERR_ERRNO.rawValue) ? .system(errorNumber) : .library(status)
    }
}

extension MQTTError.Cause {
    /// A status of the library, with its words.
    package static func library(_ status: Int32) -> Self {
        .library(LibraryStatus(status, words: String(cString: mosquitto_strerror(status))))
    }

    /// A system call's failure, with the system's words.
    package static func system(_ errorNumber: Int32) -> Self {
        .system(SystemError("reach the broker", errorNumber: errorNumber))
    }
}
