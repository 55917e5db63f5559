package import Matching

/// The places of all receivers that a store knows, by the receivers' numbers.
///
/// Floors and gateways have numbers in the order of their paths, so nothing depends on the order of their arrival.
package struct ReceiverDirectory {
    package struct Entry {
        package var path: String
        /// The building as `site/building`.
        package var building: String
        /// The floor as `site/building/floor`, from the receiver's topic, which no other gateway can use.
        package var floor: String
        package var place: ListeningFloors.Place
        /// Rank in the order of all paths.
        package var order: Int64
    }

    private var entries: [Int64: Entry] = [:]
    private var buildings: [String: [Int64]] = [:]
    private var floors: [Int64: [Int64]] = [:]
    private var floorNumbers: [String: Int64] = [:]

    /// Creates a directory.
    ///
    /// - Parameter paths: paths by the receivers' numbers.
    package init(_ paths: [Int64: String]) {
        let names = paths.mapValues(Names.init)
        let floors = Self.numbers(names.values.map(\.floor))
        floorNumbers = floors
        let gateways = Self.numbers(names.values.map(\.gateway))
        let orders = Self.numbers(paths.values)
        for (receiver, path) in paths {
            guard let names = names[receiver] else { continue }
            let place = ListeningFloors.Place(
                floor: floors[names.floor] ?? 0, gateway: gateways[names.gateway] ?? 0)
            entries[receiver] = Entry(
                path: path, building: names.building, floor: names.floor, place: place, order: orders[path] ?? 0)
            buildings[names.building, default: []].append(receiver)
            self.floors[place.floor, default: []].append(receiver)
        }
    }

    package subscript(receiver: Int64) -> Entry? { entries[receiver] }

    /// Returns the number of a floor with receivers, by its path.
    package func floor(_ path: String) -> Int64? { floorNumbers[path] }

    /// Returns the receivers of a building, in the order of their numbers.
    package func receivers(ofBuilding building: String) -> [Int64] { (buildings[building] ?? []).sorted() }

    /// Returns all receivers in the buildings of the given receivers.
    package func neighbours(of receivers: some Sequence<Int64>) -> Set<Int64> {
        Set(Set(receivers.compactMap { entries[$0]?.building }).flatMap { buildings[$0] ?? [] })
    }

    /// Returns all receivers on the floors of the given receivers.
    package func floorNeighbours(of receivers: some Sequence<Int64>) -> Set<Int64> {
        Set(Set(receivers.compactMap { entries[$0]?.place.floor }).flatMap { floors[$0] ?? [] })
    }

    package var places: [Int64: ListeningFloors.Place] { entries.mapValues(\.place) }

    package static func building(of path: String) -> String { Names(path).building }

    /// Returns the gateway of a receiver: `site/building/floor/gateway`.
    package static func gateway(of path: String) -> String { Names(path).gateway }

    /// The names in a path.
    private struct Names {
        var building: String
        var floor: String
        /// The gateway as `site/building/floor/gateway`, the same for its remote receivers.
        var gateway: String

        init(_ path: String) {
            let slash = UInt8(ascii: "/")
            let ends = path.utf8.indices.lazy.filter { path.utf8[$0] == slash }.prefix(4) + [path.endIndex]
            func beginning(_ levels: Int) -> String {
                String(path[..<(ends.count >= levels ? ends[levels - 1] : path.endIndex)])
            }
            building = beginning(2)
            floor = beginning(3)
            gateway = beginning(4)
        }
    }

    private static func numbers(_ names: some Sequence<String>) -> [String: Int64] {
        Dictionary(uniqueKeysWithValues: Set(names).sorted().enumerated().map { ($1, Int64($0)) })
    }
}
