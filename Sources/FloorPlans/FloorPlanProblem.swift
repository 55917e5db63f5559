package import OperatorText

/// Something that is wrong with a floor plan, or with its receivers.
package struct FloorPlanProblem: Equatable, Sendable {
    package enum Severity: String, Sendable {
        /// The plan contradicts itself, or the receivers' positions contradict it.
        case error
        /// The plan can be used, but positions or rooms are found less well.
        case warning
    }

    package var severity: Severity
    /// Floor, `site/building/floor`, or building, `site/building`.
    package var floor: String
    /// Part of the floor: `room HB 2.11`; `nil` for the whole floor.
    package var part: String?
    /// What was found.
    package var found: String
    /// What to do.
    package var remedy: String
    /// Part of the file.
    package var element: PlanElement?

    /// Place in the building: `campus/hb/2, room HB 2.11`.
    package var location: String { part.map { "\(floor), \($0)" } ?? floor }

    /// Returns the problem as one of a configuration file.
    ///
    /// - Parameter positions: positions of the parts of the file.
    package func configurationProblem(_ positions: [PlanElement: TextPosition]) -> ConfigurationProblem {
        ConfigurationProblem(
            location: location, position: element.flatMap { positions[$0] }, found: found, allowed: remedy)
    }
}
