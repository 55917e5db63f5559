import FloorPlans
import InteractionStore
import Localisation
import MatcherCore
import OperatorText
import Pages

/// Page that compares how the receivers of a floor hear each other's beacons.
extension PageService {
    /// Number of beacons, and of receivers, of the matrix.
    private static let mostOfMatrix = 60
    /// Number of levels that are read.
    private static let mostLevels = 20_000

    /// Compares what the receivers of a floor heard of each other's beacons with what is expected.
    func floorMatrix(_ request: PageRequest) async throws -> PageAnswer {
        let plan = try plan(request)
        let known = await api.live.receivers(on: plan.path).map(\.path)
        let (places, levels) = try await api.work { store in
            (try store.placeBeacons(), try store.moduleLevels(on: plan.path, limit: Self.mostLevels))
        }
        let allBeacons = Set(levels.map(\.module)).sorted()
        let allReceivers = Set(known).union(levels.map(\.receiver)).sorted()
        let beacons = Array(allBeacons.prefix(Self.mostOfMatrix))
        let receivers = Array(allReceivers.prefix(Self.mostOfMatrix))
        let links = beacons.flatMap { beacon in
            receivers.filter { $0 != beacon }.map { HearingMatrix.Link(beacon: beacon, receiver: $0) }
        }
        let expected = await api.live.expected(links.map { ($0.beacon, $0.receiver) })
        var hoped: [HearingMatrix.Link: Double] = [:]
        for (link, level) in zip(links, expected) { hoped[link] = level }
        let heard = Dictionary(
            levels.map { (HearingMatrix.Link(beacon: $0.module, receiver: $0.receiver), $0.rssi) }
        ) { first, _ in first }
        let view = MatrixView(
            matrix: HearingMatrix(beacons: beacons, receivers: receivers, heard: heard, expected: hoped),
            floor: plan.path)
        let silent = Set(places.compactMap(\.receiver).filter { $0.hasPrefix(plan.path + "/") })
            .subtracting(allBeacons).sorted().map { String($0.dropFirst(plan.path.count + 1)) }
        return page(
            MatrixPage(
                request.frame("Who hears whom: \(plan.shownName), \(plan.building)", route: .floors),
                place: plan.path, map: plan.pagePath,
                levelsTime: levels.map(\.at).max().map(GatewayWords(days: configuration.days).time),
                columns: view.columns, rows: view.rows, sums: view.sums, findings: view.findings,
                unheard: Self.list(silent), extent: Self.extent(allBeacons.count, allReceivers.count),
                isSurveyed: await api.live.isSurveyed(plan.path), isExpected: !hoped.isEmpty))
    }

    /// Returns names in a list that is not too long; `nil` if there are none.
    private static func list(_ names: [String]) -> String? {
        if names.isEmpty { return nil }
        let others = names.count - mostOfMatrix
        return names.prefix(mostOfMatrix).joined(separator: ", ") + (others > 0 ? " and \(others) others" : "")
    }

    /// Returns what is not shown; `nil` if all is.
    private static func extent(_ beacons: Int, _ receivers: Int) -> String? {
        guard beacons > mostOfMatrix || receivers > mostOfMatrix else { return nil }
        return "The first \(min(beacons, mostOfMatrix)) of \(beacons) beacons and the first "
            + "\(min(receivers, mostOfMatrix)) of \(receivers) receivers are shown."
    }
}
