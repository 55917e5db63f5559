import ServiceLifecycle

/// Tells the service manager that the program ends. The last of the services, which is shut down first.
package struct StoppingNotice: Service, CustomStringConvertible {
    private let announcer: ServiceAnnouncer

    package var description: String { "StoppingNotice" }

    package init(_ announcer: ServiceAnnouncer) { self.announcer = announcer }

    package func run() async {
        guard (try? await gracefulShutdown()) != nil else { return }
        announcer.stopping()
    }
}
