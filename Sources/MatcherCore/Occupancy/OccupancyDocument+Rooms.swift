package import FloorPlans
import Matching

extension [OccupancyDocument] {
    /// Returns the documents with those of floors with live positions in place of their own.
    ///
    /// A room that the plan does not have keeps its document.
    package func replaced(by live: [(plan: FloorPlan, presence: FloorPresence)], now: Int64) -> [OccupancyDocument] {
        var documents = self
        for (plan, presence) in live {
            let floor = FloorName(site: plan.site, building: plan.building, floor: plan.floor)
            func replace(room: String?, capacity: Int?, _ probabilities: [Double], isHeard: Bool) {
                let index = documents.firstIndex {
                    $0.room == room
                        && ($0.site == floor.site && $0.building == floor.building && $0.floor == floor.floor
                            || $0.site == nil && room != nil)
                }
                let document = OccupancyDocument(
                    floor, room: room, capacity: index.flatMap { documents[$0].capacity } ?? capacity, probabilities,
                    isHeard: isHeard, now: now)
                if let index { documents[index] = document } else { documents.append(document) }
            }
            replace(room: nil, capacity: nil, presence.whole, isHeard: presence.isHeard)
            for room in plan.rooms {
                replace(
                    room: room.name, capacity: room.capacity, presence.rooms[room.name] ?? [],
                    isHeard: presence.heardRooms.contains(room.name))
            }
        }
        return documents.sorted { $0.order.lexicographicallyPrecedes($1.order) }
    }
}
