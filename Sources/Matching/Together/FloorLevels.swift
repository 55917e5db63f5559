/// How loudly the gateways of a floor heard a subject in a minute: the loudest three, each with what its loudest ear heard.
struct FloorLevels: Sendable {
    let floor: Int64
    /// The receiver that heard it loudest.
    private(set) var loudest: Int64
    private var one: Gateway
    private var two = Gateway()
    private var three = Gateway()

    private struct Gateway: Sendable {
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

    /// The gateways without which `first` or `second` would be another.
    var gateways: [Int64] { [one, two].filter { $0.level >= 0 }.map(\.number) }

    /// What is left without a gateway; -1 where there is nothing.
    func levels(without gateway: Int64?) -> (first: Int, second: Int) {
        if gateway == one.number { return (two.level, three.level) }
        return (one.level, gateway == two.number ? three.level : two.level)
    }

    /// Takes in what a receiver heard; the first of several that heard it equally loudly counts.
    mutating func add(_ level: Int, receiver: Int64, gateway: Int64) {
        if gateway == one.number {
            if level > one.level { (one.level, loudest) = (level, receiver) }
            return
        }
        if two.level >= 0, gateway == two.number {
            two.level = max(two.level, level)
        } else if level > three.level || gateway == three.number {
            three = Gateway(number: gateway, level: max(level, gateway == three.number ? three.level : -1))
            if three.level > two.level { swap(&three, &two) }
        }
        if two.level > one.level {
            swap(&two, &one)
            loudest = receiver
        }
    }
}
