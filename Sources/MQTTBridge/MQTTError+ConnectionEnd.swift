import BeaconModel
import CMosquitto
import Glibc
package import Publishing
import SystemIO

extension MQTTError.Cause {
    /// Returns the cause that a libmosquitto status stands for at this point of a connection.
    ///
    /// - Parameters:
    ///   - errorNumber: 0 if no system call failed.
    ///   - isAccepted: whether the broker had accepted the connection.
    ///   - isReset: whether the kernel knows that the other side reset the connection.
    package static func ofEnd(
        status: Int32, errorNumber: Int32, isAccepted: Bool, isReset: @autoclosure () -> Bool
    ) -> Self {
        // The library also returns this status for input that it cannot parse, and at the end of the stream.
        let isEnd =
            status == Int32(MOSQ_ERR_CONN_LOST.rawValue) || status == Int32(MOSQ_ERR_ERRNO.rawValue) && errorNumber == 0
        if isEnd, !isAccepted { return .closed }
        // The library uses one status both for a connection that was reset and for one that was closed in order.
        if isEnd { return isReset() ? .system(ECONNRESET) : .library(.connectionLost) }
        return status == Int32(MOSQ_ERR_ERRNO.rawValue) ? .system(errorNumber) : .library(status)
    }
}

extension MQTTError.Cause {
    /// Returns a status of the library with the library's description.
    package static func library(_ status: Int32) -> Self {
        .library(LibraryStatus(status, words: String(cString: mosquitto_strerror(status))))
    }

    /// Returns a failed system call with the system's description.
    package static func system(_ errorNumber: Int32) -> Self {
        .system(SystemError("reach the broker", errorNumber: errorNumber))
    }
}
