import BeaconModel
import CommandSupport
import InteractionStore
import Logging
import MatcherCore
import ServiceLifecycle
import SystemIO

/// Floors that were drawn on the page, which the parts of a matcher take as soon as they are saved.
struct DrawnFloors: Sendable {
    var store: SharedStore
    var configuration: Reloadable<MatcherConfiguration>
    /// The API; `nil` if there is none.
    var api: Reloadable<APIService>?
    var live: LivePlaces

    /// Takes the floors of the store if they have changed, in whichever matcher they were drawn.
    ///
    /// - Throws: `StoreError`.
    func refresh() async throws {
        let store = store
        let drawn = try await DedicatedThread.run(name: "plans") {
            Result { try store.use { try $0.drawnFloors() } }
        }.get()
        guard let settings = configuration.current.localisation else { return }
        let isInAPI = api.map { $0.current.configuration.localisation?.drawn == drawn } ?? true
        if settings.drawn == drawn, isInAPI { return }
        let new = settings.with(drawn)
        // After a reload in the meantime, the next refresh takes the floors.
        configuration.update { if $0.localisation == settings { $0.localisation = new } }
        api?.update { service in
            guard let own = service.configuration.localisation, own.filePlans == new.filePlans else { return }
            service.configuration.localisation = new
        }
        await live.apply(configuration.current.localisation)
    }
}

/// Service that takes floors which were drawn on the page of another matcher of the store.
struct DrawnFloorService: NamedService {
    var floors: DrawnFloors
    var activation: Activation
    var logger: Logger

    private static let interval: Duration = .seconds(30)

    func run() async throws {
        guard await activation.begun() else { return }
        try? await cancelWhenGracefulShutdown {
            while true {
                do {
                    try await floors.refresh()
                } catch is CancellationError {
                    return
                } catch {
                    logger.error("drawn floors not read", metadata: ["because": "\(error.inOneLine)"])
                }
                try await Task.sleep(for: Self.interval)
            }
        }
    }
}
