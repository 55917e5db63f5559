import BeaconModel
import FloorPlans
import Localisation
import OperatorText

/// The plan of a recording, with where in the file its parts are.
struct RecordingPlan {
    typealias Mistake = RecordingFolder.Mistake

    private let folder: String
    private let contents: FloorPlanFile.Contents

    var floors: [FloorPlan] { contents.plans }

    /// Reads the plan of a folder; `nil` if there is none.
    init?(_ folder: String) throws(Mistake) {
        let path = folder + "/plan.toml"
        guard let text = TextFile.read(path) else { return nil }
        do throws(ConfigurationError) {
            contents = try FloorPlanFile.contents(of: text, path: path)
        } catch {
            throw Mistake(text: error.what)
        }
        self.folder = folder
        guard let first = contents.plans.first else {
            throw Mistake(text: "\(path): has no floor, and must have [[floors]]")
        }
        // A model is that of one building: all of its floors are above each other.
        if let other = contents.plans.first(where: { $0.buildingPath != first.buildingPath }) {
            throw Mistake(
                text: "\(path): has floors of the buildings \(first.buildingPath) and \(other.buildingPath), and must "
                    + "have those of one; make a folder for each building")
        }
    }

    /// Checks the plan and its receivers, and throws all errors. Warnings are left out.
    func check(_ receivers: [ReceiverSite]) throws(Mistake) {
        let placed = receivers.map { receiver in
            PlanReceiver(
                path: "\(floors[receiver.floor].path)/\(receiver.path)",
                position: Place.Position(x: receiver.position.x, y: receiver.position.y, z: receiver.height))
        }
        let errors = FloorPlanCheck.problems(of: floors, receivers: placed).filter { $0.severity == .error }
        guard !errors.isEmpty else { return }
        let problems = errors.map { error in
            var problem = error.configurationProblem(contents.positions)
            if error.part?.hasPrefix("receiver ") == true {
                problem.file = folder + "/receivers.csv"
                problem.allowed = problem.allowed.replacing(
                    "position in its gateway's configuration", with: "x, y or z of its row")
            }
            return problem
        }
        throw Mistake(text: ConfigurationProblem.list(problems, in: folder + "/plan.toml"))
    }
}
