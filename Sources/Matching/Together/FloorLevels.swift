/// How loudly the gateways of a floor heard a subject in a minute: the loudest four, each with what its loudest ear heard.
struct FloorLevels: Equatable, Sendable {
    let floor: Int64
    /// The receiver that heard it loudest.
    private(set) var loudest: Int64
    private var one: Gateway
    private var two = Gateway()
    private var three = Gateway()
    private var four = Gateway()

    /// One or two gateways of which nothing is believed, or none.
    struct LeftOut {
        var one: Int64?
        var two: Int64?

        func contains(_ gateway: Int64) -> Bool { gateway == one || gateway == two }
    }

    private struct Gateway: Equatable, Sendable {
        var number: Int64 = 0
        /// In steps; -1: there is none.
        var level = -1
    }

    init(floor: Int64, _ level: Int, receiver: Int64, gateway: Int64) {
        self.floor = floor
        loudest = receiver
        one = Gateway(number: gateway, level: level)
    }

    /// The greatest level, and that of the next gateway; -1 where only one heard it.
    var first: Int { one.level }
    var second: Int { two.level }

    /// The gateways without which `first` or `second` may be another; as numbers are by chance, all that are as loud as the second.
    var gateways: [Int64] {
        var numbers: [Int64] = []
        forEach { if $0.level >= two.level { numbers.append($0.number) } }
        return numbers
    }

    /// The gateway that is the loudest without some; `nil` where there is none, or two are as loud.
    func loudestGateway(without left: LeftOut) -> Int64? {
        let (first, second) = levels(without: left)
        if first < 0 || first == second { return nil }
        var loudest: Int64?
        forEach { gateway in
            if gateway.level == first, !left.contains(gateway.number) { loudest = gateway.number }
        }
        return loudest
    }

    /// Goes through those that are known, the loudest first, without an array of them.
    private func forEach(_ body: (Gateway) -> Void) {
        if one.level >= 0 { body(one) }
        if two.level >= 0 { body(two) }
        if three.level >= 0 { body(three) }
        if four.level >= 0 { body(four) }
    }

    /// What is left without one or two gateways; -1 where there is nothing.
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

    /// Takes in what a receiver heard; the first of several that heard it equally loudly counts.
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
    /// Takes in what a receiver heard, on its floor.
    mutating func add(_ level: Int, receiver: Int64, at place: ListeningFloors.Place) {
        if let index = firstIndex(where: { $0.floor == place.floor }) {
            self[index].add(level, receiver: receiver, gateway: place.gateway)
        } else {
            append(FloorLevels(floor: place.floor, level, receiver: receiver, gateway: place.gateway))
        }
    }
}
