import CIcal
import Synchronization

/// Access to libical, which keeps zones and their changes for the whole process: only one thread at a time may use it.
enum CalendarLibrary {
    private static let lock = Mutex(())

    static func use<Value: Sendable, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        try lock.withLock { _ throws(Failure) in
            // A damaged file must not abort the process; errors are queried afterwards.
            icalerror_set_errors_are_fatal(0)
            return try body()
        }
    }
}
