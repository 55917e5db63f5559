/// Levels of a subject at the gateways of a floor in a minute: the loudest four, each with the level of its loudest
/// receiver.
struct FloorLevels: Equatable, Sendable {
    let floor: Int64
    /// Receiver with the strongest signal.
    private(set) var loudest: Int64
    private var one: Gateway
    private var two = Gateway()
    private var three = Gateway()
    private var four = Gateway()

    /// Gateways that are disregarded: one, two or none.
    struct LeftOut {
        var one: Int64?
        var two: Int64?

        func contains(_ gateway: Int64) -> Bool { gateway == one || gateway == two }
    }

    private struct Gateway: Equatable, Sendable {
        var number: Int64 = 0
        /// Level in steps; -1: no gateway.
        var level = -1
    }

    init(floor: Int64, _ level: Int, receiver: Int64, gateway: Int64) {
        self.floor = floor
        loudest = receiver
        one = Gateway(number: gateway, level: level)
    }

    /// Greatest level, and that of the second gateway; -1 where only one received the subject.
    var first: Int { one.level }
    var second: Int { two.level }

    /// Gateways without which `first` or `second` can change. Gateway numbers are arbitrary, so all gateways at least
    /// as loud as the second are included.
    var gateways: [Int64] {
        var numbers: [Int64] = []
        forEach { if $0.level >= two.level { numbers.append($0.number) } }
        return numbers
    }

    /// Returns the loudest gateway without the left-out ones; `nil` where there is none, or two are equally loud.
    func loudestGateway(without left: LeftOut) -> Int64? {
        let (first, second) = levels(without: left)
        if first < 0 || first == second { return nil }
        var loudest: Int64?
        forEach { gateway in
            if gateway.level == first, !left.contains(gateway.number) { loudest = gateway.number }
        }
        return loudest
    }

    /// Visits the known gateways, the loudest first, without allocating an array.
    private func forEach(_ body: (Gateway) -> Void) {
        if one.level >= 0 { body(one) }
        if two.level >= 0 { body(two) }
        if three.level >= 0 { body(three) }
        if four.level >= 0 { body(four) }
    }

    /// Returns the levels without one or two gateways; -1 where there is none.
    func levels(without left: LeftOut) -> (first: Int, second: Int) {
        var levels = (first: -1, second: -1)
        forEach { gateway in
            if left.contains(gateway.number) { return }
            if levels.first < 0 {
                levels.first = gateway.level
            } else if levels.second < 0 {
                levels.second = gateway.level
            }
        }
        return levels
    }

    /// Adds the level of a receiver; among equally loud receivers the first counts.
    mutating func add(_ level: Int, receiver: Int64, gateway: Int64) {
        if gateway == one.number {
            if level > one.level { (one.level, loudest) = (level, receiver) }
            return
        }
        if two.level >= 0, gateway == two.number {
            two.level = max(two.level, level)
        } else if three.level >= 0, gateway == three.number {
            three.level = max(three.level, level)
        } else if level > four.level || gateway == four.number {
            four = Gateway(number: gateway, level: max(level, gateway == four.number ? four.level : -1))
        }
        if four.level > three.level { swap(&four, &three) }
        if three.level > two.level { swap(&three, &two) }
        if two.level > one.level {
            swap(&two, &one)
            loudest = receiver
        }
    }
}

extension [FloorLevels] {
    /// Adds the level of a receiver to its floor.
    mutating func add(_ level: Int, receiver: Int64, at place: ListeningFloors.Place) {
        if let index = firstIndex(where: { $0.floor == place.floor }) {
            self[index].add(level, receiver: receiver, gateway: place.gateway)
        } else {
            append(FloorLevels(floor: place.floor, level, receiver: receiver, gateway: place.gateway))
        }
    }
}
