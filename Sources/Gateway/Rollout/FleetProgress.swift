import CommandSupport
import OperatorText
import Rollout

/// Shows how a rollout goes: a line for each gateway that is done, and what goes on below them in a terminal.
struct FleetProgress {
    private let count: Int
    private let isJSON: Bool
    private var done = 0
    private var trying: Set<GatewayPath> = []

    init(count: Int, isJSON: Bool) {
        self.count = count
        self.isJSON = isJSON
    }

    mutating func show(_ event: RolloutEvent) throws {
        if isJSON { return try Terminal.print(RolloutEventDocument(event).encoded) }
        var isLine = true
        switch event {
        case .tries(let gateway):
            trying.insert(gateway)
            isLine = false
        case .ended(let gateway, _):
            trying.remove(gateway)
            done += 1
        case .sent(_, let attempt): isLine = attempt > 1
        // At first nothing works yet. What did not work in the end is told with the ending.
        case .works, .troubled: isLine = false
        case .stageBegan, .stopped: break
        }
        if isLine {
            clear()
            try Terminal.print(RolloutRunText.line(event))
        }
        Terminal.progress("\(done) of \(count) done, \(trying.count) trying")
    }

    /// Says something that is no event of the rollout.
    func note(_ text: String) {
        clear()
        Terminal.note(text)
    }

    func clear() { if !isJSON { Terminal.progress(nil) } }
}
