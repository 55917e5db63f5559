import BeaconModel
import FloorPlans
import OperatorText
import TestValues

/// Plans for tests.
enum Plans {
    /// A floor of 18 by 9 metres: two rooms below, a corridor above.
    static let text = String(
        decoding: (try? Repository.read("Tests/FloorPlansTests/Golden/floors.toml")) ?? [], as: UTF8.self)

    static func parse(_ text: String) throws -> [FloorPlan] { try FloorPlanFile.parse(text, path: "floors.toml") }

    /// Problems of a file, as they are shown.
    static func problems(_ text: String) -> [String] {
        do throws(ConfigurationError) {
            _ = try FloorPlanFile.parse(text, path: "floors.toml")
            return []
        } catch {
            return error.problems.map { $0.line(in: error.path) }
        }
    }

    static func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> PlanPolygon {
        PlanPolygon([
            PlanPoint(x: x, y: y), PlanPoint(x: x + width, y: y), PlanPoint(x: x + width, y: y + height),
            PlanPoint(x: x, y: y + height),
        ])
    }

    static func receiver(
        _ gateway: String, _ x: Double, _ y: Double, z: Double = 2, room: String? = nil, floor: String = "2"
    ) -> PlanReceiver {
        PlanReceiver(
            path: "campus/hb/\(floor)/\(gateway)", position: Place.Position(x: x, y: y, z: z), room: room)
    }

    /// Receivers with which nothing is wrong on the plan of `text`.
    static let receivers = [
        receiver("a", 1, 1, room: "HB 2.11"), receiver("b", 16, 1, room: "HB 2.12"),
        receiver("c", 9, 8, room: "corridor"),
    ]
}
