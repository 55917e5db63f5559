import FloorPlans
package import Localisation
package import Matching

/// What `LiveFloors` has found out, or asks for.
package enum LiveChange: Equatable, Sendable {
    /// A subject is on a floor, or its place or position there has changed.
    case shown(LivePosition)
    /// A subject is no longer on a floor: it is on another one, or is not heard any more.
    case left(SubjectIdentity, floor: String)
    /// The model of a building must be built; see `ModelOrder`.
    case order(ModelOrder)
    case warning(LiveWarning)
}

/// An order to build the model of a building, which takes up to seconds: off the path of messages.
package struct ModelOrder: Equatable, Sendable {
    /// `site/building`.
    package var building: String
    /// Number of the order; a later one replaces it.
    package var number: Int
    var plans: [FloorPlan]
    var receivers: [ReceiverSite]
    /// Survey of the building.
    var spots: [SurveySpot] = []

    /// Builds the model, with the survey if that improves it.
    package func build() -> SurveyedModel {
        SurveyedModel(BuildingModel(plans: plans, receivers: receivers), spots)
    }
}

/// Something that an operator must know, said once for each receiver or subject.
package enum LiveWarning: Hashable, Sendable {
    /// A receiver has no position.
    case noPosition(receiver: String)
    /// The floor of a receiver has no plan.
    case noPlan(receiver: String)
    /// A receiver's clock is wrong: its signals count at the time of their arrival.
    case clock(receiver: String)
    /// A receiver states other positions again and again, and is left out.
    case restless(receiver: String)
    /// An identity is heard at places that are too far from each other.
    case conflicting(SubjectIdentity)
    /// A gateway sends too much, and the excess is dropped.
    case flood(gateway: String)
    /// A gateway names more receivers than are remembered, and the excess is ignored.
    case tooManyReceivers(gateway: String)
    /// More subjects are heard than can be followed.
    case full
}
