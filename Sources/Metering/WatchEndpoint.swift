package import Exposition
package import HTTPServing
import HTTPTypes
import SystemIO
package import Watching

/// What a program answers to `/metrics` and `/healthz`.
package struct WatchEndpoint: Sendable {
    private let registry: MeterRegistry
    private let version: String
    private let commit: String
    private let liveness: @Sendable () async -> Liveness
    private let collect: @Sendable (inout Scrape) async -> Void
    /// Label sets that earlier scrapes left out.
    private let leftOut = LockedValue(UInt64(0))

    /// - Parameters:
    ///   - collect: adds the program's own metrics to a scrape.
    package init(
        registry: MeterRegistry, version: String, commit: String, liveness: @escaping @Sendable () async -> Liveness,
        collect: @escaping @Sendable (inout Scrape) async -> Void
    ) {
        self.registry = registry
        self.version = version
        self.commit = commit
        self.liveness = liveness
        self.collect = collect
    }

    package func answer(_ request: HTTPListener.Request) async -> HTTPListener.Response {
        let isHead = request.method == .head
        guard request.method == .get || isHead else {
            return HTTPListener.Response(.methodNotAllowed, headers: [.allow: "GET, HEAD"])
        }
        var response: HTTPListener.Response
        switch request.path {
        case "/metrics":
            let format = ExpositionFormat(accept: request.headers[.accept])
            response = HTTPListener.Response(
                .ok, type: format.contentType, body: Array((await scrape()).text(format).utf8))
        case "/healthz":
            let liveness = await liveness()
            response = HTTPListener.Response(
                liveness.isLive ? .ok : .serviceUnavailable, type: "application/json",
                body: HealthDocument(liveness).encoded)
        default: response = .text(.notFound, "there are /metrics and /healthz")
        }
        if isHead { response.body = [] }
        return response
    }

    /// Returns all metrics of the program.
    package func scrape() async -> Scrape {
        var scrape = Scrape()
        scrape.add(ProcessMetric.buildInfo, 1, version, commit)
        ProcessFacts.collect(into: &scrape)
        await collect(&scrape)
        let dropped = registry.collect(into: &scrape)
        let before = leftOut.withLock { [now = scrape.leftOut] total in
            total &+= now
            return total
        }
        scrape.add(ProcessMetric.droppedLabelSets, before &+ dropped)
        return scrape
    }
}
