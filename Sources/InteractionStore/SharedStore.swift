import Glibc

/// A store that several threads use, one at a time.
///
/// `@unchecked`, because the compiler cannot see that the mutex guards every use of `store`. Not an actor: the thread
/// of a connection to the broker waits for the disk before it acknowledges.
package final class SharedStore: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let store: InteractionStore

    package init(_ store: sending InteractionStore) {
        self.store = store
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Calls `body` with the store; blocks while another thread uses it.
    package func use<Value>(_ body: (InteractionStore) throws -> sending Value) rethrows -> sending Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(store)
    }
}
