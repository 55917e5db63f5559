import ServiceLifecycle
import SystemIO

/// Service that gives free memory back to the system every five seconds: matching and large pages leave much of it.
struct HeapService: NamedService {
    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: .seconds(5))
                Heap.trim()
            }
        }
    }
}
