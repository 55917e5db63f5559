/// A part of the plans of a file, by its index in each list.
package enum PlanElement: Hashable, Sendable {
    case floor(Int)
    case room(floor: Int, Int)
    case door(floor: Int, Int)
    case passage(floor: Int, Int)
}
