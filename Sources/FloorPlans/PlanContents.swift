/// The expected number of subjects in each room of a floor.
package struct PlanContents {
    /// Number of doors of each room.
    package private(set) var doors: [Int]
    /// Receivers in each room.
    package private(set) var receivers: [[PlanReceiver]]
    /// Receivers without a position, or outside of all rooms.
    package private(set) var others: [PlanReceiver] = []

    package init(_ plan: FloorPlan, receivers: [PlanReceiver]) {
        let floor = CheckedFloor(plan, index: 0)
        var effort = PlanEffort()
        doors = Array(repeating: 0, count: plan.rooms.count)
        self.receivers = Array(repeating: [], count: plan.rooms.count)
        for door in plan.doors {
            for room in floor.rooms(at: door.position, &effort) { doors[room] += 1 }
        }
        for receiver in receivers.sorted(by: { $0.path < $1.path }) {
            let around = receiver.point.map { floor.rooms(around: $0, &effort) } ?? []
            if let room = around.first { self.receivers[room].append(receiver) } else { others.append(receiver) }
        }
    }
}
