import FloorPlans
import Glibc
import Localisation

/// What locating costs on a large floor: 40 receivers, 40 rooms, each second 1,000 subjects.
struct CostMeasure {
    /// Microseconds of one subject's step.
    private(set) var microseconds = 0.0
    private(set) var settledMicroseconds = 0.0
    private(set) var cells = 0
    /// Bytes of the model, and of one subject.
    private(set) var modelBytes = 0
    private(set) var subjectBytes = 0

    private static let side = 6.0
    private static let columns = 8
    private static let rows = 5
    private static let subjects = 200
    private static let seconds = 20

    init() {
        let model = BuildingModel(plans: [Self.plan], receivers: Self.receivers)
        cells = model.grids[0].inside.count
        modelBytes = model.memory
        subjectBytes = 4 * model.grids[0].count
        let windows = Self.windows()
        var scratch = FilterScratch()
        var filters = Array(repeating: SubjectFilter(model), count: Self.subjects)
        var positions = 0.0
        let elapsed = Self.processorTime {
            for second in 0..<Self.seconds {
                for subject in filters.indices {
                    filters[subject].step(
                        model, windows[(subject + second) % windows.count].ending(second), scratch: &scratch)
                    if let estimate = Estimate(
                        model, filters[subject].floors, flattening: model.settings.flattening)
                    {
                        positions += estimate.position.x
                    }
                }
            }
        }
        microseconds = elapsed / Double(Self.subjects * Self.seconds)
        var settledScratch = FilterScratch()
        var settled = Array(repeating: SettledFilter(model), count: Self.subjects / 4)
        let settling = Self.processorTime {
            for second in 0..<60 {
                for subject in settled.indices {
                    let found = settled[subject].add(
                        model, windows[(subject + second) % windows.count].ending(second), scratch: &settledScratch)
                    positions += Double(found.count)
                }
            }
        }
        settledMicroseconds = settling / Double(settled.count * 60)
        // The results are used, so that nothing is left out.
        if positions.isNaN { microseconds = .nan }
    }

    /// Returns the processor's time in microseconds, which other programs do not lengthen.
    private static func processorTime(_ body: () -> Void) -> Double {
        let start = clock()
        body()
        return Double(clock() - start) / Double(CLOCKS_PER_SEC) * 1e6
    }

    private static func rectangle(_ left: Double, _ low: Double, _ width: Double, _ height: Double) -> PlanPolygon {
        PlanPolygon([
            PlanPoint(x: left, y: low), PlanPoint(x: left + width, y: low),
            PlanPoint(x: left + width, y: low + height), PlanPoint(x: left, y: low + height),
        ])
    }

    private static var plan: FloorPlan {
        var plan = FloorPlan(
            site: "bench", building: "bench", floor: "0",
            outline: rectangle(0, 0, side * Double(columns), side * Double(rows)))
        for column in 0..<columns {
            for row in 0..<rows {
                let (x, y) = (Double(column) * side, Double(row) * side)
                plan.rooms.append(FloorPlan.Room(name: "\(column)-\(row)", polygon: rectangle(x, y, side, side)))
                plan.doors.append(FloorPlan.Door(position: PlanPoint(x: x + side / 2, y: y)))
            }
        }
        return plan
    }

    private static var receivers: [ReceiverSite] {
        plan.rooms.enumerated().map { index, room in
            ReceiverSite(path: "g\(index)", floor: 0, position: room.polygon.centroid ?? PlanPoint(x: 0, y: 0))
        }
    }

    /// Signals of twelve receivers near some places.
    private static func windows() -> [HeardWindow] {
        receivers.indices.map { place in
            let near = receivers.indices.sorted {
                receivers[$0].position.distance(to: receivers[place].position)
                    < receivers[$1].position.distance(to: receivers[place].position)
            }
            return HeardWindow(
                end: 0,
                signals: near.prefix(12).enumerated().map { rank, receiver in
                    HeardSignal(receiver: receiver, rssi: -58 - 2.5 * Double(rank))
                }, silent: Array(near.dropFirst(12)))
        }
    }
}

extension HeardWindow {
    /// The same window at another time.
    fileprivate func ending(_ second: Int) -> HeardWindow {
        var window = self
        window.end = Double(second)
        return window
    }
}
