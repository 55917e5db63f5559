import CommandSupport
import RecordContract

/// Prints what a subscriber receives.
actor TailScreen {
    private(set) var table: TailTable
    private(set) var reconnections = 0
    /// Why nothing can be printed any more.
    private(set) var failure: OutputClosed?
    private var hasTitles = false

    init(table: TailTable) { self.table = table }

    /// The broker has confirmed the subscription.
    func subscribed() {
        if hasTitles {
            reconnections += 1
            Terminal.note("connected again")
        } else if let titles = table.titles {
            print(titles)
        }
        hasTitles = true
    }

    var wasSubscribed: Bool { hasTitles }

    /// - Returns: `false` once nobody reads any more.
    func show(_ message: MQTTMessage) -> Bool {
        switch table.take(message) {
        case .line(let line): print(line)
        case .note(let note): Terminal.note(note)
        case nil: break
        }
        return failure == nil
    }

    private func print(_ line: String) {
        do throws(OutputClosed) {
            try Terminal.print(line)
        } catch {
            failure = error
        }
    }

    func finish() {
        let broken = reconnections == 0 ? "" : "; the connection broke and came back \(reconnections)x"
        Terminal.note(table.summary + broken)
    }
}
