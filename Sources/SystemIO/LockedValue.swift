import Glibc

/// A value protected by a lock, for threads that are not managed by Swift.
///
/// It does not use `Synchronization.Mutex`: ThreadSanitizer does not understand its futex and reports false races.
///
/// `@unchecked`, because the compiler cannot verify that the mutex guards every access to `value`.
package final class LockedValue<Value: Sendable>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    package init(_ value: Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        changed = .allocate(capacity: 1)
        changed.initialize(to: pthread_cond_t())
        pthread_cond_init(changed, nil)
    }

    deinit {
        pthread_cond_destroy(changed)
        changed.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Calls `body` with the lock held. `body` must not block.
    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        pthread_mutex_lock(mutex)
        defer {
            pthread_cond_broadcast(changed)
            pthread_mutex_unlock(mutex)
        }
        return body(&value)
    }

    /// Blocks until `condition` is true.
    package func wait(until condition: (Value) -> Bool) {
        pthread_mutex_lock(mutex)
        while !condition(value) { pthread_cond_wait(changed, mutex) }
        pthread_mutex_unlock(mutex)
    }
}
