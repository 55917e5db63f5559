package import BeaconModel
import CLinux
import Glibc

/// Threads for blocking calls (poll, a serial line, a C library), which must not block Swift's thread pool.
package enum DedicatedThread {
    /// Runs `body` on a dedicated thread and returns at once.
    ///
    /// - Throws: `SystemError` when the system cannot create another thread.
    package static func start(name: String, _ body: sending @escaping () -> Void) throws(SystemError) {
        let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
                // The kernel limits names to 15 characters.
                pthread_setname_np(pthread_self(), String(start.name.prefix(15)))
                start.body()
                return nil
            }, start.toOpaque())
        guard status == 0 else {
            start.release()
            throw SystemError("start the thread \(name)", errorNumber: status)
        }
        pthread_detach(thread)
    }

    /// Runs `body` on a dedicated thread and waits for its result without blocking the caller's thread.
    package static func run<Value: Sendable>(
        name: String, _ body: @escaping @Sendable () -> Value
    ) async throws(SystemError) -> Value {
        let result: Result<Value, SystemError> = await withCheckedContinuation { continuation in
            do throws(SystemError) {
                try start(name: name) { continuation.resume(returning: .success(body())) }
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        return try result.get()
    }
}

/// Carries a closure into a thread.
private final class ThreadStart {
    let name: String
    let body: () -> Void

    init(name: String, body: @escaping () -> Void) {
        self.name = name
        self.body = body
    }
}
