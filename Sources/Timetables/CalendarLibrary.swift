import CIcal
import Synchronization

/// libical, which keeps zones and their changes for the whole process: one thread at a time uses it.
enum CalendarLibrary {
    private static let lock = Mutex(())

    static func use<Value: Sendable, Failure>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        try lock.withLock { _ throws(Failure) in
            // A damaged file is no reason to abort; what is wrong is asked for afterwards.
            icalerror_set_errors_are_fatal(0)
            return try body()
        }
    }
}
